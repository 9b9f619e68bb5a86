import type { ElectronicRecordsOutput } from '@svc/contract';
import { chooseRecords, openRecords } from '../../flow/electronic-records.ts';
import { useFlow } from '../../flow/flow.ts';
import { ActionRow } from '../../parts/action-row.tsx';
import { textIn } from '../../words/names.ts';
import { useWords } from '../../words/use-words.ts';
import { ConfirmChange } from './confirm.tsx';

/** Opens the choice between notices by email and on paper. */
export function RecordsRow() {
  const flow = useFlow();
  const copy = useWords().words.records;
  return <ActionRow title={copy.row} note={copy.rowNote} onPress={() => void openRecords(flow)} />;
}

/** Changes how the tenant gets notices, and explains the effect first. */
export function Records({ records: { choice, texts } }: { records: ElectronicRecordsOutput }) {
  const flow = useFlow();
  const { words, locale } = useWords();
  const consent = choice === 'paper' ? textIn(texts, locale) : undefined;
  const { toPaper, toEmail } = words.records;
  const copy = consent === undefined ? toPaper : toEmail;
  return (
    <ConfirmChange
      title={copy.title}
      lead={copy.lead}
      keep={copy.keep}
      action={copy.action}
      onAction={() => void chooseRecords(flow, consent?.sha256 ?? null)}
    >
      {consent !== undefined && (
        <div class="svc-card group">
          {consent.text.split('\n\n').map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </div>
      )}
    </ConfirmChange>
  );
}
