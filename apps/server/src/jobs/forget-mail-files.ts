import { mailKeptMs } from '../domain/mail/record.ts';
import type { MailFiles } from '../outside/mail-files.ts';
import { type Repeating, repeat } from './repeat.ts';

const everyMs = 3_600_000;

type Deps = Omit<Parameters<typeof repeat>[0], 'everyMs' | 'name' | 'turn'> & {
  readonly mailFiles: MailFiles;
};

/** Files of mails go when the mails themselves do. */
export function startForgettingMailFiles(deps: Deps): Repeating {
  const { clock, log, mailFiles } = deps;
  const turn = async () => {
    const forgotten = await mailFiles.forget(new Date(clock.now().getTime() - mailKeptMs));
    if (forgotten > 0) log.info({ mail_files_forgotten: forgotten }, 'mail files');
  };
  return repeat({ clock, log, everyMs, name: 'forgetting mail files', turn });
}
