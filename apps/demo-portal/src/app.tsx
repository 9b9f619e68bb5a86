import { useEffect, useState } from 'react';
import type { Welcome } from '../backend/answers.ts';
import { ActivityDrawer } from './activity/activity-drawer.tsx';
import { api } from './api.ts';
import { Page } from './pages/page.tsx';
import { DemoBar } from './parts/demo-bar.tsx';
import { FailureNotice } from './parts/heading.tsx';
import { Navigation } from './parts/navigation.tsx';
import { useAccount } from './session/use-account.ts';
import { activityOf, lastBooking, useActivity } from './session/use-activity.ts';
import { addressOf, goTo, useLocation } from './session/use-location.ts';
import { useMedia } from './session/use-theme.ts';

/** Maple Residents, with the demo's controls above it and the activity drawer next to it. */
export function App() {
  const { path, tenantId: asked } = useLocation();
  const { welcome, failure } = useWelcome();
  const tenantId =
    welcome?.tenants.find(({ id }) => id === asked)?.id ?? welcome?.tenants[0]?.id ?? null;
  const { items, live } = useActivity();
  const shown = activityOf(items, tenantId);
  const account = useAccount(tenantId, lastBooking(items, tenantId ?? ''));
  const wide = useMedia('(min-width: 1240px)');
  const [asideOpen, setAsideOpen] = useState(true);
  const [sheetOpen, setSheetOpen] = useState(false);

  return (
    <div className="app" data-aside={wide && asideOpen ? '' : undefined}>
      <DemoBar
        welcome={welcome}
        tenantId={tenantId}
        busy={account.signed.state === 'loading'}
        activityCount={shown.length}
        activityOpen={wide ? asideOpen : sheetOpen}
        onSwitch={(id) => goTo(addressOf(path, id))}
        onStartOver={account.startOver}
        onWeekLater={account.weekLater}
        onActivity={() => (wide ? setAsideOpen(!asideOpen) : setSheetOpen(true))}
      />
      <Navigation path={path} tenantId={tenantId} signed={account.signed} />
      <main className="main" id="main">
        {failure ? (
          <FailureNotice message={failure} onRetry={() => window.location.reload()} />
        ) : (
          <Page path={path} tenantId={tenantId} welcome={welcome} session={account} />
        )}
      </main>
      <ActivityDrawer
        items={shown}
        live={live}
        as={wide ? 'aside' : 'sheet'}
        open={wide ? asideOpen : sheetOpen}
        onClose={() => (wide ? setAsideOpen(false) : setSheetOpen(false))}
      />
    </div>
  );
}

function useWelcome(): { welcome: Welcome | null; failure: string | null } {
  const [welcome, setWelcome] = useState<Welcome | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    api.welcome().then(setWelcome, (error: Error) => setFailure(error.message));
  }, []);
  return { welcome, failure };
}
