import { defineList } from '@svc/ui/console/list/define-list.tsx';
import { Icon } from '@svc/ui/console/parts/icon.tsx';
import { StateMark } from '@svc/ui/console/parts/state-mark.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Ago } from '@svc/ui/console/time/time.tsx';
import { Link } from '@tanstack/react-router';
import { type CertificationSummary, certificationList } from '../api/certifications.ts';
import { useSession } from '../session/use-session.ts';
import { CertifyGate } from './certify-gate.tsx';
import { markOfState } from './describe-certification.ts';
import './certify.css';

/** The runs of the certification, newest first. */
export const CertifyPage = defineList({
  route: '/certify',
  title: 'Certify',
  rows: ['run', 'runs'],
  api: certificationList,
  Gate: CertifyGate,
  keyOf: ({ id }) => id,
  lead: 'Plays tenants’ lives and every bad delivery against your receiver, and says what broke, why, and how to fix it.',
  Actions: StartLink,
  filters: [],
  columns: [
    ['Result'],
    ['Endpoint'],
    ['What was found', 'run-row__verdict'],
    ['Version', 'run-row__version'],
    ['Started'],
  ],
  Row: RunRow,
  empty: {
    icon: 'certify',
    title: 'No runs yet',
    text: (
      <>
        <p>
          A run takes a few minutes. It makes its own tenants, sends their webhooks to your endpoint
          in order and out of it, twice, late and forged, and tells you each mistake with its fix.
        </p>
        <a className="svc-link" href="/docs/certify">
          What it checks
        </a>
      </>
    ),
  },
});

function StartLink() {
  const { read_only } = useSession();
  if (read_only) return null;
  return (
    <Link to="/certify/new" className="svc-button svc-button--small">
      <Icon name="certify" /> New run
    </Link>
  );
}

function RunRow({ item: run }: { item: CertificationSummary }) {
  const { tone, word } = markOfState(run.state);
  return (
    <li>
      <Link
        to="/certify/$certificationId"
        params={{ certificationId: run.id }}
        className="row run-row"
        data-row
      >
        <StateMark tone={tone}>{word}</StateMark>
        <span className="run-row__url">{visibleText(run.endpoint_url)}</span>
        <span className="run-row__verdict">
          {visibleText(run.verdict ?? (run.state === 'running' ? 'Open it to continue' : ''))}
        </span>
        <span className="run-row__version">{visibleText(run.service_version)}</span>
        <span className="row__time">
          <Ago at={run.created_at} />
        </span>
      </Link>
    </li>
  );
}
