import { useEffect, useState } from 'react';
import type { Welcome } from '../../backend/answers.ts';
import { api } from '../api.ts';
import { FailureNotice } from '../portal/parts/heading.tsx';
import { Loading } from '../portal/parts/loading.tsx';
import { useDevice, useMedia } from '../settings.ts';
import { addressOf, goTo, useLocation } from '../use-location.ts';
import { useWords } from '../words/use-words.ts';
import { ActivityPanel } from './activity/activity-panel.tsx';
import { activityOf, useActivity } from './activity/use-activity.ts';
import { Bar } from './bar.tsx';
import { Guide } from './guide.tsx';
import { scenarioOf } from './moments.ts';
import { usePreparation } from './use-preparation.ts';

/**
 * The demo: the portal in a frame, with the guide on one side and the calls and webhooks on the other. The
 * frame is a partner's whole page, so the open experience covers the portal and leaves the rest in view.
 */
export function Stage() {
  const { translate } = useWords();
  const { tenantId } = useLocation();
  const tenants = useTenants();
  const { items, live } = useActivity();
  const activity = activityOf(items, tenantId);
  const preparation = usePreparation(tenantId);
  const [device] = useDevice();
  const [build, setBuild] = useState<'react' | 'plain'>('react');
  const hasSides = useMedia('(min-width: 1240px)');
  const hasActivity = useMedia('(min-width: 1000px)');
  const [openSheet, setOpenSheet] = useState<'guide' | 'activity' | null>(null);
  const close = () => setOpenSheet(null);
  const choose = (id: string) => {
    close();
    if (id === tenantId) preparation.startOver();
    else goTo(addressOf('/', id));
  };

  return (
    <div className="stage" data-device={device}>
      <Bar
        tenantId={tenantId}
        isBusy={preparation.state === 'busy'}
        activityCount={activity.length}
        openSheet={openSheet}
        hasSides={hasSides}
        hasActivity={hasActivity}
        onChoose={choose}
        onOpen={setOpenSheet}
      />
      <Guide
        as={hasSides ? 'aside' : 'sheet'}
        isOpen={hasSides || openSheet === 'guide'}
        tenantId={tenantId}
        tenants={tenants}
        isBusy={preparation.state === 'busy'}
        build={build}
        onBuild={setBuild}
        onChoose={choose}
        onWeekLater={() => {
          close();
          preparation.weekLater();
        }}
        onClose={close}
      />
      <main className="frame" id="main" aria-busy={preparation.state === 'busy'}>
        {preparation.state === 'failed' ? (
          <div className="frame__page frame__page--text">
            <FailureNotice message={preparation.message} onRetry={preparation.select} />
          </div>
        ) : preparation.state === 'busy' ? (
          <div className="frame__page frame__page--text">
            <Loading />
          </div>
        ) : (
          <iframe
            // A new element for each tenant, because another `src` would add a history entry.
            key={`${preparation.generation} ${build}`}
            className="frame__page"
            title={translate('The resident’s page')}
            src={addressOf(build === 'react' ? '/portal' : '/plain', tenantId)}
          />
        )}
      </main>
      <ActivityPanel
        as={hasActivity ? 'aside' : 'sheet'}
        isOpen={hasActivity || openSheet === 'activity'}
        items={activity}
        live={live}
        onClose={close}
      />
      <p className="svc-visually-hidden" role="status">
        {preparation.state === 'ready' ? translate(scenarioOf(tenantId).shows) : ''}
      </p>
    </div>
  );
}

function useTenants(): Welcome['tenants'] {
  const [tenants, setTenants] = useState<Welcome['tenants']>([]);
  useEffect(() => {
    // If the backend does not respond, usePreparation reports it.
    api.welcome().then(
      (welcome) => setTenants(welcome.tenants),
      () => undefined,
    );
  }, []);
  return tenants;
}
