import { pollIntervals } from '@svc/ui/console/api/poll-intervals.ts';
import { PageHeader } from '@svc/ui/console/parts/page-header.tsx';
import { Empty, RowList } from '@svc/ui/console/parts/page-states.tsx';
import { StateMark, type Tone } from '@svc/ui/console/parts/state-mark.tsx';
import { formatCents } from '@svc/ui/console/text/format-money.ts';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { Ago, Until } from '@svc/ui/console/time/time.tsx';
import { useQuery } from '@tanstack/react-query';
import { type BankFile, type BankFiles, bankFilesQuery, fileAddress } from '../api/bank-files.ts';
import { CommandMenu } from '../commands/command-menu.tsx';
import { usePermission } from '../session/use-session.ts';
import { HandInButton } from './hand-in-dialog.tsx';
import './money.css';

const states: Record<string, { tone: Tone; word: string }> = {
  assembled: { tone: 'info', word: 'Being written' },
  staged: { tone: 'info', word: 'Being written' },
  sent: { tone: 'info', word: 'Sent' },
  acknowledged: { tone: 'good', word: 'Acknowledged' },
  refused: { tone: 'bad', word: 'Refused by the bank' },
  read: { tone: 'good', word: 'Read' },
  rejected: { tone: 'bad', word: 'Cannot be read' },
  dismissed: { tone: 'neutral', word: 'Dealt with' },
};

/** ACH files to the bank and from it. Installations with another processor do not have the page. */
export function FilesPage() {
  const files = useQuery({ ...bankFilesQuery, refetchInterval: pollIntervals.background });
  return (
    <div className="page">
      <PageHeader title="ACH files" actions={<HandInButton />}>
        <p className="page-header__lead">{files.data ? <Waiting files={files.data} /> : ' '}</p>
      </PageHeader>
      <RowList
        query={files}
        items={files.data?.items ?? []}
        loading="Loading the files"
        rows={8}
        failed="The files could not be loaded"
        empty={
          <Empty icon="settlements" title="No files in the last 30 days">
            <p>
              Debits and refunds are written to a file at each cut-off of your bank. What the bank
              sends back, such as returns, appears here, too.
            </p>
          </Empty>
        }
      >
        {(file) => <FileRow key={file.id} file={file} />}
      </RowList>
      {files.data?.has_more ? <p className="money__quiet">Older files are left out.</p> : null}
    </div>
  );
}

function Waiting({ files: { waiting, next_at } }: { files: BankFiles }) {
  if (waiting === 0 || next_at === null) return 'No entry waits for a file.';
  return (
    <span>
      {waiting.toLocaleString('en-US')} {waiting === 1 ? 'entry waits' : 'entries wait'} for the
      next file, <Until at={next_at} inline />.
    </span>
  );
}

function FileRow({ file }: { file: BankFile }) {
  const { id, name, direction, state, entries, returned, exceptions, reason } = file;
  const { tone, word } = states[state] ?? { tone: 'neutral', word: state };
  const isOurs = direction === 'out';
  return (
    <li className="payout file" data-row tabIndex={-1}>
      <span className="file__direction">{isOurs ? 'To the bank' : 'From the bank'}</span>
      <StateMark tone={tone}>{word}</StateMark>
      <span className="payout__words">
        <span className="statement-row__bank">{visibleText(name)}</span>
        <span className="money__quiet">
          <Ago at={file.created_at} inline />, {entries === 1 ? '1 entry' : `${entries} entries`}
          {isOurs
            ? `, debits ${formatCents(file.debits_in_cents)}, credits ${formatCents(file.credits_in_cents)}`
            : null}
          {returned > 0 ? `, ${returned} came back` : null}
        </span>
        {exceptions > 0 ? (
          <span className="payout__failure">{`${exceptions} not applied`}</span>
        ) : null}
        {reason === null ? null : <span className="payout__failure">{visibleText(reason)}</span>}
        <code>{id}</code>
      </span>
      <FileActions file={file} />
    </li>
  );
}

function FileActions({ file: { id, name, state, direction, exceptions } }: { file: BankFile }) {
  const mayDownload = usePermission('money');
  const canDismiss = state === 'rejected' || exceptions > 0;
  const canResend = direction === 'out' && (state === 'sent' || state === 'acknowledged');
  const commands = [
    { name: 'ach-show', label: 'Show its entries…' },
    ...(canResend ? [{ name: 'ach-resend', label: 'The bank refused it, send again…' }] : []),
    ...(canDismiss ? [{ name: 'ach-dismiss', label: 'It is dealt with…' }] : []),
  ];
  return (
    <span className="file__actions">
      {mayDownload ? (
        <a
          href={fileAddress(id)}
          download={name}
          className="svc-button svc-button--secondary svc-button--small"
          aria-label={`Download ${name}`}
        >
          Download
        </a>
      ) : null}
      <CommandMenu
        label={`Actions of ${name}`}
        commands={commands.map((it) => ({ ...it, input: { file_id: id }, about: name }))}
      />
    </span>
  );
}
