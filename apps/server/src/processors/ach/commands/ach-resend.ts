import { installation } from '../../../domain/audit/record.ts';
import { argument, defineCommand } from '../../../operator/command.ts';
import { countOf } from '../../../operator/format.ts';
import { resendFile } from '../manage-files.ts';

export const achResend = defineCommand({
  name: 'ach resend',
  summary: 'put the entries of a file that the bank refused as a whole into a new one',
  input: { file_id: argument('<file id>') },
  effect: 'control',
  console: { needs: 'money' },
  money: 'once',
  async run({ tx, now, record }, { file_id }) {
    const resent = await resendFile({ tx, now }, file_id);
    const entry = { action: 'ach.resent', subject_id: file_id } as const;
    await record(installation, { ...entry, details: { ...resent } });
    return resent;
  },
  describe: ({ name, entries }) =>
    `${countOf(entries, 'entry', 'entries')} of ${name} will be in a new file within a minute.\n`,
});
