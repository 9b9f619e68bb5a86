import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Ago } from '@svc/ui/console/time/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { type Controls, controlsQuery } from '../api/partners.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { RunbookLink } from '../health/runbook-link.tsx';
import { ResumeButton } from './resume-button.tsx';
import './money-switch.css';

/** Says whether money moves, and what it means to stop it or to pause a portal's collections. */
export function MoneySwitch({ pms }: { pms?: string }) {
  const { data } = useQuery(controlsQuery(pms));
  if (!data) return null;
  const { money, runbook } = data;
  const isStopped = money.stopped_at !== null;
  return (
    <section className="money-switch svc-card" aria-labelledby="money-switch">
      <div className="money-switch__head">
        <h2 id="money-switch" className="section-title">
          Money
        </h2>
        <StateMark tone={isStopped ? 'bad' : 'good'}>
          {isStopped ? 'Stopped for all partners' : 'Moves'}
        </StateMark>
      </div>
      {money.stopped_at === null ? null : (
        <p>
          <Ago at={money.stopped_at} inline /> by {visibleText(money.stopped_by ?? '')}:{' '}
          {visibleText(money.reason ?? '')}
        </p>
      )}
      <Pauses pauses={data.pauses} names={pms === undefined} />
      <Consequences isStopped={isStopped} />
      <div className="money-switch__actions">
        {isStopped ? (
          <CommandButton command="money-start" input={{}}>
            Let money move again…
          </CommandButton>
        ) : (
          <CommandButton command="money-stop" input={{}}>
            Stop all money…
          </CommandButton>
        )}
        {pms === undefined ? null : (
          <CommandButton command="collections-pause" input={{ pms }}>
            Pause this partner’s collections…
          </CommandButton>
        )}
        <RunbookLink to={runbook} about="the money switch" />
      </div>
    </section>
  );
}

/** @param names true if each pause names its portal */
function Pauses({ pauses, names }: { pauses: Controls['pauses']; names: boolean }) {
  if (pauses.length === 0) return null;
  return (
    <ul className="money-switch__pauses">
      {pauses.slice(0, 5).map(({ pms, scope, subject, started_at, started_by, reason }) => (
        <li key={`${pms} ${scope} ${subject}`}>
          <StateMark tone="warn">Paused</StateMark> {names ? `${visibleText(pms)}, ` : ''}
          {scope === 'partner' ? 'all its collections' : `${scope} ${visibleText(subject)}`},{' '}
          <Ago at={started_at} inline /> by {visibleText(started_by)}: {visibleText(reason)}{' '}
          <ResumeButton pms={pms} scope={scope} subject={subject} />
        </li>
      ))}
      {pauses.length > 5 ? <li>{pauses.length - 5} more pauses</li> : null}
    </ul>
  );
}

const consequences = [
  {
    name: 'Stops',
    facts: [
      'New charges, refunds and plans, in every process and for all partners.',
      'Tenants who pay or accept a plan read that payments are paused and nothing has changed.',
      'Portals that report a refund get 503 and can repeat it.',
    ],
  },
  {
    name: 'Continues',
    facts: [
      'Payments in flight get their outcome; deposits, returns and disputes are recorded.',
      'Webhooks, mails, the widget and all other calls.',
    ],
  },
  {
    name: 'Plans in flight',
    facts: [
      'Nothing falls due, so no tenant becomes late. Days until past due and charge-off count from the start.',
      'Within a minute of the start, what fell due is collected, once for each tenant.',
    ],
  },
];

function Consequences({ isStopped }: { isStopped: boolean }) {
  return (
    <details className="money-switch__consequences" open={isStopped}>
      <summary>What a stop does</summary>
      <dl>
        {consequences.map(({ name, facts }) => (
          <div key={name}>
            <dt>{name}</dt>
            {facts.map((fact) => (
              <dd key={fact}>{fact}</dd>
            ))}
          </div>
        ))}
      </dl>
    </details>
  );
}
