import '@svc/ui/tokens.css';
import '@svc/ui/components.css';
import '@svc/ui/console/styles.css';
import { createQueryClient } from '@svc/ui/console/api/query-client.ts';
import { watchUserActivity } from '@svc/ui/console/api/user-activity.ts';
import { takeLinkSecret } from '@svc/ui/console/session/session-gate.tsx';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createConsoleRouter } from './router.tsx';
import { ConsoleGate } from './session/console-gate.tsx';

watchUserActivity(window);
const linkSecret = takeLinkSecret();
const queryClient = createQueryClient();
const router = createConsoleRouter(queryClient);

createRoot(document.getElementById('root') ?? document.body).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <ConsoleGate linkSecret={linkSecret}>
        <RouterProvider router={router} />
      </ConsoleGate>
    </QueryClientProvider>
  </StrictMode>,
);
