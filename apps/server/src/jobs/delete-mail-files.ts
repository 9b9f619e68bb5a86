import type { Clock } from '@svc/runtime';
import { mailKeptMs } from '../domain/mail/record.ts';
import type { MailFiles } from '../outside/mail-files.ts';
import type { Lane } from './lane.ts';

interface Deps {
  readonly clock: Clock;
  readonly mailFiles: MailFiles;
}

/** Deletes the files of mails when the mails themselves expire. */
export function mailFilesLane({ clock, mailFiles }: Deps): Lane {
  return {
    name: 'old mail files',
    everyMs: 3_600_000,
    batch: () => mailFiles.deleteOlderThan(new Date(clock.now().getTime() - mailKeptMs)),
  };
}
