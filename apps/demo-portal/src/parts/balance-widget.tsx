import { Environment, openExperienceAndSetToken, SvcWidget } from '@svc/react';
import { useEffect, useState } from 'react';
import type { WidgetSettings } from '../../backend/answers.ts';
import { api } from '../api.ts';
import { reportSdkEvent } from '../session/report-sdk-event.ts';

interface BalanceWidgetProps {
  balance: number;
  settings: WidgetSettings;
  serviceOrigin: string;
  tenantId: string;
}

/** The whole of a partner's integration in React. */
export function BalanceWidget({ balance, settings, serviceOrigin, tenantId }: BalanceWidgetProps) {
  const token = usePreloadedToken(settings.preload, tenantId);
  return (
    <div className="widget">
      <SvcWidget
        balance={balance}
        pms={settings.pms}
        externalId={settings.external_id}
        signature={settings.signature}
        environment={Environment.Sandbox}
        baseUrl={serviceOrigin}
        product_variant={settings.product_variant}
        token={token}
        fetchToken={() => api.token(tenantId)}
        onEvent={(type, data) => reportSdkEvent(tenantId, type, data)}
        onWidgetClickCallback={async () => {
          void openExperienceAndSetToken({ token: await api.token(tenantId) });
        }}
      />
    </div>
  );
}

/** The alternative way to load: the token comes with the page, before any click. */
function usePreloadedToken(preload: boolean, tenantId: string): string | null {
  const [token, setToken] = useState<string | null>(null);
  useEffect(() => {
    if (!preload) return;
    let left = false;
    api.token(tenantId).then(
      (fresh) => {
        if (!left) setToken(fresh);
      },
      // Without it the click asks again, and tells the tenant when that fails too.
      () => undefined,
    );
    return () => {
      left = true;
    };
  }, [preload, tenantId]);
  return token;
}
