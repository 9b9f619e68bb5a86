import '@svc/ui/tokens.css';
import '@svc/ui/components.css';
import './styles/base.css';
import './styles/contrast.css';
import './styles/parts.css';
import './styles/facts.css';
import './styles/rows.css';
import './styles/forms.css';
import './styles/filters.css';
import './styles/floating.css';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/query-client.ts';
import { watchUserActivity } from './api/user-activity.ts';
import { createConsoleRouter } from './router.tsx';
import { SessionGate, takeLinkSecret } from './session/session-gate.tsx';

watchUserActivity(window);
const linkSecret = takeLinkSecret();
const queryClient = createQueryClient();
const router = createConsoleRouter(queryClient);

createRoot(document.getElementById('root') ?? document.body).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <SessionGate linkSecret={linkSecret}>
        <RouterProvider router={router} />
      </SessionGate>
    </QueryClientProvider>
  </StrictMode>,
);
