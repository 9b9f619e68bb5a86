import { installation } from '../../../domain/audit/record.ts';
import { argument, defineCommand } from '../../../operator/command.ts';
import { dismissFile } from '../manage-files.ts';

export const achDismiss = defineCommand({
  name: 'ach dismiss',
  summary:
    'say that a rejected file of the bank, or its exceptions, are dealt with, so that debits succeed again',
  input: { file_id: argument('<file id>') },
  effect: 'control',
  console: { needs: 'money' },
  async run({ tx, now, record }, { file_id }) {
    const dismissed = await dismissFile(tx, file_id, now);
    const entry = { action: 'ach.dismissed', subject_id: file_id, details: dismissed } as const;
    await record(installation, entry);
    return dismissed;
  },
  describe: ({ name }) =>
    `${name} is dealt with. Debits whose days have passed succeed within a minute, unless another file is rejected.\n`,
});
