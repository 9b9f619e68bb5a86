import '@svc/ui/tokens.css';
import '@svc/ui/components.css';
import '@svc/ui/console/styles.css';
import { createQueryClient } from '@svc/ui/console/api/query-client.ts';
import { watchUserActivity } from '@svc/ui/console/api/user-activity.ts';
import { takeLinkSecret } from '@svc/ui/console/session/session-gate.tsx';
import { SiteName } from '@svc/ui/console/shell/site-name.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createOperatorRouter } from './router.tsx';
import { OperatorGate } from './session/operator-gate.tsx';
import { ProviderReturn, takeProviderAnswer } from './session/provider-return.tsx';

watchUserActivity(window);
const providerAnswer = takeProviderAnswer();
const linkSecret = takeLinkSecret();
const queryClient = createQueryClient();
const router = createOperatorRouter(queryClient);

createRoot(document.getElementById('root') ?? document.body).render(
  <StrictMode>
    <SiteName value="Operator">
      <QueryClientProvider client={queryClient}>
        {providerAnswer === null ? (
          <OperatorGate linkSecret={linkSecret}>
            <RouterProvider router={router} />
          </OperatorGate>
        ) : (
          <ProviderReturn query={providerAnswer} />
        )}
      </QueryClientProvider>
    </SiteName>
  </StrictMode>,
);
