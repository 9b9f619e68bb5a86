import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { healthQuery } from '../api/health.ts';
import { partNames, summarizeHealth, worstFirst } from './describe-health.ts';
import { RunbookLink } from './runbook-link.tsx';
import './health.css';

/** The most problems shown. More would push the work below them off the screen. */
const mostShown = 3;

/** The state of the service for the home page: one quiet line, or the sentences of what does not run. */
export function HealthStrip() {
  const { data, error } = useQuery(healthQuery);
  if (!data) return <StripLine tone="neutral">{error ? 'The state is not known.' : ''}</StripLine>;
  const troubles = worstFirst(data.items).filter(({ state }) => state !== 'ok');
  if (troubles.length === 0)
    return <StripLine tone="good">{summarizeHealth(data.items)}</StripLine>;
  const isUrgent = troubles.some(({ state }) => state === 'failed');
  return (
    <section
      className={`svc-notice health-strip ${isUrgent ? 'svc-tone-bad' : 'svc-tone-warn'}`}
      aria-label="Health"
    >
      <p className="svc-notice__title">{summarizeHealth(data.items)}</p>
      <ul className="health-strip__troubles">
        {troubles.slice(0, mostShown).map(({ name, sentence, runbook }) => (
          <li key={name}>
            {visibleText(sentence)} <RunbookLink to={runbook} about={partNames[name]} />
          </li>
        ))}
      </ul>
      <Link to="/health" className="svc-link health-strip__more">
        {troubles.length > mostShown ? `See all ${troubles.length}` : 'See every part'}
      </Link>
    </section>
  );
}

/** Keeps its height while it is empty, so that nothing below it moves. */
function StripLine({ tone, children }: { tone: 'good' | 'neutral'; children: string }) {
  return (
    <p className={`health-line tone-${tone}`}>
      {children === '' ? null : (
        <Link to="/health" className="health-line__link">
          <Icon name={tone === 'good' ? 'check' : 'doctor'} /> {children}
        </Link>
      )}
    </p>
  );
}
