import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { LoadState } from '@svc/ui/console/parts/page-states.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Ago } from '@svc/ui/console/time/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { type HealthItem, healthQuery } from '../api/health.ts';
import { MoneySwitch } from '../controls/money-switch.tsx';
import { partNames, stateMarks, summarizeHealth, worstFirst } from './describe-health.ts';
import { RunbookLink } from './runbook-link.tsx';
import './health.css';

/** Every part of the service with its state, and where the runbook says what to do. */
export function HealthPage() {
  const health = useQuery(healthQuery);
  const { items = [], measured_at } = health.data ?? {};
  return (
    <div className="page">
      <PageHeader title="Health">
        <p className="page-header__lead">
          <span>
            {measured_at === undefined ? (
              'What runs and what does not.'
            ) : (
              <>
                {summarizeHealth(items)} Measured <Ago at={measured_at} inline />.
              </>
            )}
          </span>
        </p>
      </PageHeader>
      <LoadState
        query={health}
        loading="Measuring the service"
        rows={8}
        failed="The state of the service could not be read"
      />
      {items.length > 0 ? (
        <ul className="rows">
          {worstFirst(items).map((item) => (
            <HealthRow key={item.name} item={item} />
          ))}
        </ul>
      ) : null}
      <MoneySwitch />
    </div>
  );
}

function HealthRow({ item: { name, state, sentence, runbook } }: { item: HealthItem }) {
  const { tone, word } = stateMarks[state];
  return (
    <li className="health-row" data-row data-state={state}>
      <StateMark tone={tone}>{word}</StateMark>
      <span className="health-row__name">{partNames[name]}</span>
      <span className="health-row__sentence">{visibleText(sentence)}</span>
      <RunbookLink to={runbook} about={partNames[name]} />
    </li>
  );
}
