import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type TenantHistory, viewQuery } from '../api/time-machine.ts';

/** A frame with the tenant's screen. It loads on request, because each view opens a session of ten minutes. */
export function Screen({ history }: { history: TenantHistory }) {
  const { external_id: externalId, simulation, events } = history;
  const [isShown, setShown] = useState(false);
  const name = visibleText(externalId);
  // A new session is opened once something has happened, so that the frame shows it.
  const moment = `${simulation.simulated_time} ${events.at(-1)?.id}`;
  const view = useQuery({ ...viewQuery(externalId, moment), enabled: isShown });
  if (!isShown) {
    return (
      <button
        type="button"
        className="svc-button svc-button--secondary svc-button--small"
        onClick={() => setShown(true)}
      >
        Show what {name} sees
      </button>
    );
  }
  return (
    <>
      <LoadState
        query={view}
        loading="Opening the tenant’s screen"
        rows={6}
        failed="The tenant’s screen could not be opened"
      />
      {view.data ? (
        <iframe
          key={view.data.url}
          className="screen"
          src={view.data.url}
          title={`What ${name} sees`}
        />
      ) : null}
    </>
  );
}
