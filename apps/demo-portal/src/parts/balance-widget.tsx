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

/** A complete partner integration in React. */
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

/** Optionally loads the tenant token with the page, before any click. */
function usePreloadedToken(preload: boolean, tenantId: string): string | null {
  const [token, setToken] = useState<string | null>(null);
  useEffect(() => {
    if (!preload) return;
    let unmounted = false;
    api.token(tenantId).then(
      (fresh) => {
        if (!unmounted) setToken(fresh);
      },
      // On failure the click requests it again and shows an error if that fails too.
      () => undefined,
    );
    return () => {
      unmounted = true;
    };
  }, [preload, tenantId]);
  return token;
}
