import { CopyButton } from '@svc/ui/console/parts/copy-button.tsx';
import { saveFile } from '@svc/ui/frame/save-file.ts';
import { Link } from '@tanstack/react-router';
import type { Certification } from '../api/certifications.ts';
import { markOfState } from './describe-certification.ts';
import { renderBadge } from './render-badge.ts';

/** The signed report and the badge of a finished run, to download. */
export function Report({ run }: { run: Certification }) {
  if (run.signed_report === null) return null;
  const command = 'svc certify verify certify.json';
  const badge = renderBadge(run);
  return (
    <section className="svc-card side-card certify__report" aria-label="Report">
      <h2 className="section-title">Report</h2>
      <p>
        <img
          className="certify__badge"
          src={`data:image/svg+xml,${encodeURIComponent(badge)}`}
          alt={`Badge: ${markOfState(run.state).word}`}
        />
      </p>
      <p className="certify__files">
        <button
          type="button"
          className="svc-button svc-button--small"
          onClick={() => save('certify.json', 'application/json', JSON.stringify(run, null, 2))}
        >
          Download JSON
        </button>
        <button
          type="button"
          className="svc-button svc-button--secondary svc-button--small"
          onClick={() => save('certify.svg', 'image/svg+xml', badge)}
        >
          Badge as SVG
        </button>
      </p>
      <p className="side-card__quiet">
        The service has signed the report. To check the signature, which needs no API key:
      </p>
      <p className="certify__verify">
        <code>{command}</code>
        <CopyButton text={command} label="Copy the command" />
      </p>
      {run.state === 'failed' ? null : (
        <p className="side-card__quiet">
          What follows from it is marked in your{' '}
          <Link to="/doctor" className="svc-link">
            go-live checklist
          </Link>
          .{run.state === 'incomplete' ? ' A badge says “passed” if no case was left out.' : ''}
        </p>
      )}
    </section>
  );
}

function save(name: string, type: string, text: string): void {
  saveFile(name, new Blob([text], { type }));
}
