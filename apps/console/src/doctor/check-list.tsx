import { Empty } from '@svc/ui/console/parts/page-states.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import type { DoctorCheck } from '../api/doctor.ts';
import { type Place, PlaceLink } from './place-link.tsx';

/** The results by group. In each group, what has to be fixed comes first. */
export function CheckList(props: { checks: DoctorCheck[] | null; isRunning: boolean }) {
  const { checks, isRunning } = props;
  return (
    <section className="try__result" aria-label="Results" aria-live="polite" aria-busy={isRunning}>
      <h2 className="svc-visually-hidden">Results</h2>
      {checks === null ? (
        <Empty icon="doctor" title={isRunning ? 'Checking…' : 'Results appear here'}>
          <p>
            {isRunning
              ? 'This waits for your page and your endpoints, up to a minute.'
              : 'All fields are optional. The more you fill in, the more is checked.'}
          </p>
        </Empty>
      ) : (
        <>
          <Headline checks={checks} />
          {groups.map(({ name, ids }) => (
            <Group key={name} name={name} checks={checks.filter(({ id }) => ids.includes(id))} />
          ))}
        </>
      )}
    </section>
  );
}

const groups: { name: string; ids: DoctorCheck['id'][] }[] = [
  { name: 'Credentials', ids: ['key', 'signature'] },
  { name: 'Tenant', ids: ['charges', 'window'] },
  { name: 'Page', ids: ['origins', 'page', 'csp', 'frame_headers', 'container', 'sdk'] },
  {
    name: 'Webhooks',
    ids: ['clock', 'webhook_valid', 'webhook_test', 'webhook_forged', 'webhook_repeated'],
  },
];

function Headline({ checks }: { checks: DoctorCheck[] }) {
  const count = (status: DoctorCheck['status']) =>
    checks.filter((check) => check.status === status).length;
  const [failed, warned, skipped] = [count('fail'), count('warn'), count('skipped')];
  const tone = failed > 0 ? 'bad' : warned > 0 ? 'warn' : 'good';
  const title =
    failed > 0
      ? `${failed} ${failed === 1 ? 'check' : 'checks'} failed`
      : warned > 0
        ? `${warned} ${warned === 1 ? 'thing' : 'things'} to look at`
        : 'Nothing to fix';
  const rest = [
    `${count('pass')} passed`,
    ...(failed > 0 && warned > 0 ? [`${warned} to look at`] : []),
    ...(skipped > 0 ? [`${skipped} skipped`] : []),
  ];
  return (
    <div className={`svc-notice svc-tone-${tone}`}>
      <p className="svc-notice__title">{title}</p>
      <p>{rest.join(', ')}.</p>
    </div>
  );
}

/** The console page on which each check can be fixed. */
const placesToFix: Partial<Record<DoctorCheck['id'], Place>> = {
  key: { to: '/api-keys', label: 'Open API keys' },
  origins: { to: '/origins', label: 'Open Origins' },
  charges: { to: '/tenants', label: 'Open Tenants' },
  webhook_valid: { to: '/endpoints', label: 'Open Endpoints' },
};

const order: DoctorCheck['status'][] = ['fail', 'warn', 'pass', 'skipped'];

function Group({ name, checks }: { name: string; checks: DoctorCheck[] }) {
  const sorted = order.flatMap((status) => checks.filter((check) => check.status === status));
  return (
    <section className="doctor__group" aria-label={name}>
      <h3 className="doctor__group-name">{name}</h3>
      <ul className="doctor__checks">
        {sorted.map(({ id, status, title, detail, fix, docs_url }) => (
          <li key={`${id} ${title}`} className="doctor__check">
            <div className="doctor__check-head">
              <span className="doctor__check-title">{visibleText(title)}</span>
              <StateMark tone={statusTones[status]}>{statusWords[status]}</StateMark>
            </div>
            <p>{visibleText(detail)}</p>
            {fix === null ? null : (
              <p className="doctor__fix">
                <b>To do:</b> {visibleText(fix)}
                <PlaceLink place={placesToFix[id]} />{' '}
                {docs_url === null ? null : (
                  <a className="svc-link" href={docs_url}>
                    Docs
                  </a>
                )}
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

const statusTones = { pass: 'good', warn: 'warn', fail: 'bad', skipped: 'neutral' } as const;
const statusWords = {
  pass: 'Passed',
  warn: 'Warning',
  fail: 'Failed',
  skipped: 'Skipped',
} as const;
