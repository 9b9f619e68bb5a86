import { row, sql, text } from '@svc/db';
import type { BankFiles } from '../../domain/payments/bank-files.ts';
import { Refusal } from '../../domain/refusal.ts';
import { BadFile } from '../../statements/bad-file.ts';
import type { AchSettings } from './ach-settings.ts';
import { type AchFolder, openAchFolder } from './folder.ts';
import { parseNacha } from './parse-nacha.ts';

const fileRow = row('stored ACH file', { direction: text, name: text, state: text });

/** Lets people download ACH files, and hand in those of the bank. */
export function createBankFiles(
  { folder: root }: Pick<AchSettings, 'folder'>,
  folder: Pick<AchFolder, 'stored' | 'deliver'> = openAchFolder(root),
): BankFiles {
  return {
    async read(q, fileId) {
      const file = await q.maybe(
        fileRow,
        sql`select direction, name, state from ach_file where id = ${fileId}`,
      );
      if (!file) throw new Refusal('not_found');
      const content =
        file.direction === 'out'
          ? await folder.stored(file.name)
          : await folder.stored(file.name, fileId);
      if (content) return { name: file.name, content };
      const message = `${file.name} is not in the ACH folder that this process reaches. Look for it in SVC_ACH_FOLDER of a worker.`;
      throw new Refusal('not_found', { message });
    },

    async receive({ name, content }) {
      refuseBadName(name);
      if (!name.endsWith('.ack')) refuseBadContent(name, content);
      if (await folder.deliver(name, content)) return;
      throw refused(`A file named ${name} waits already. It is read within a minute.`);
    },
  };
}

function refuseBadName(name: string): void {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name) && !/\.(part|filepart|tmp)$/i.test(name))
    return;
  throw refused(
    'Name the file with letters, digits, dots, dashes and underscores, as the bank named it.',
  );
}

/** Checked again when the file is applied. Here, the person can still choose another file. */
function refuseBadContent(name: string, content: Buffer): void {
  try {
    parseNacha(content);
  } catch (error) {
    if (!(error instanceof BadFile)) throw error;
    throw refused(`${name} was not taken. ${error.message}`);
  }
}

function refused(message: string): Refusal {
  return new Refusal('validation_failed', { message });
}
