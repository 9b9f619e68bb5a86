import { es } from '@svc/core/locales/es';
import { Environment, openExperienceAndSetToken, SvcWidget } from '@svc/react';
import { useEffect, useState } from 'react';
import type { WidgetSettings } from '../../../backend/answers.ts';
import { api } from '../../api.ts';
import { useBrand, useHasClicked, useLanguage, useTheme } from '../../settings.ts';
import { reportSdkEvent } from '../report-sdk-event.ts';

interface BalanceWidgetProps {
  balance: number;
  settings: WidgetSettings;
  tenantId: string;
}

/**
 * A complete partner integration in React. The brand and the theme are those of the page: the widget
 * reads `--svc-accent`, `--svc-radius`, `--svc-font` and `color-scheme`. Each render updates the open
 * experience, so it follows when they change.
 */
export function BalanceWidget({ balance, settings, tenantId }: BalanceWidgetProps) {
  const token = usePreloadedToken(settings.preload, tenantId);
  const [language] = useLanguage();
  const [, setHasClicked] = useHasClicked();
  useBrand();
  useTheme();
  return (
    <div className="widget">
      <SvcWidget
        balance={balance}
        pms={settings.pms}
        externalId={settings.external_id}
        signature={settings.signature}
        environment={Environment.Sandbox}
        baseUrl={settings.base_url}
        product_variant={settings.product_variant}
        locale={language === 'es' ? es : 'en-US'}
        token={token}
        fetchToken={() => api.token(tenantId)}
        onEvent={(type, data) => {
          if (type === 'WIDGET_CLICKED') setHasClicked('yes');
          reportSdkEvent(tenantId, type, data);
        }}
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
