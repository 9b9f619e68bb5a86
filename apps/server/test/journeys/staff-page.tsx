import {
  SvcSettlements,
  type SvcStaffProps,
  SvcTenantPlan,
  SvcWebhookPortal,
} from '@svc/react/staff';
import { createElement, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';

/** The query string of a back-office page, which decides what the page shows. */
const query = new URLSearchParams(location.search);
const shownViews = query.get('views')?.split(',') ?? ['settlements'];

declare global {
  interface Window {
    /** How often the page was asked for a token. */
    asked: number;
    /** The codes of the problems so far. */
    problems: string[];
    /** Replaces what `getToken` does. */
    getToken: SvcStaffProps['getToken'];
    render(props: Partial<SvcStaffProps>): void;
  }
}

window.asked = 0;
window.problems = [];
window.getToken = async ({ view, externalId }) => {
  const answer = await fetch('/token', {
    method: 'POST',
    body: JSON.stringify({
      view: query.get('token_view') ?? view,
      ...(externalId && { external_id: query.get('token_tenant') ?? externalId }),
      ...(query.has('write') && view !== 'tenant_plan' && { read_only: false }),
    }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()).token;
};

const root = createRoot(document.getElementById('root') as HTMLElement);

window.render = (more) => {
  const props: SvcStaffProps = {
    pms: query.get('pms') ?? '',
    environment: 'sandbox',
    baseUrl: query.get('service') ?? '',
    getToken: (request) => {
      window.asked += 1;
      return window.getToken(request);
    },
    onError: ({ error_code }) => void window.problems.push(error_code),
    ...more,
  };
  const externalId = query.get('tenant') ?? 't-1';
  root.render(
    createElement(
      StrictMode,
      null,
      shownViews.map((view) =>
        view === 'settlements'
          ? createElement(SvcSettlements, { key: view, ...props })
          : view === 'webhooks'
            ? createElement(SvcWebhookPortal, { key: view, ...props })
            : createElement(SvcTenantPlan, { key: view, externalId, ...props }),
      ),
    ),
  );
};
if (!query.has('wait')) window.render({});
