import type { Database } from '@svc/db';
import type { Clock } from '../clock.ts';
import type { Log, Service } from '../context.ts';
import type { DecisionService } from '../outside/decision-service.ts';
import type { MailFiles } from '../outside/mail-files.ts';
import type { Mailer } from '../outside/mailer.ts';
import { startAsking } from './ask-for-decisions.ts';
import { startForgettingMailFiles } from './forget-mail-files.ts';
import { startMailing } from './send-mails.ts';
import { startTicking } from './tick.ts';
import { startVacuuming } from './vacuum.ts';

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly service: Service;
  readonly mailer: Mailer | null;
  readonly mailFiles: MailFiles;
  readonly decisions: DecisionService | null;
}

/** Starts the background jobs. `stop` waits for those that are running. */
export function startJobs(deps: Deps): { stop(): Promise<void> } {
  const { decisions, mailer } = deps;
  const jobs = [
    startTicking(deps),
    startVacuuming(deps),
    startMailing(deps),
    startForgettingMailFiles(deps),
    ...(decisions ? [startAsking({ ...deps, decisions })] : []),
  ];
  return {
    async stop() {
      await Promise.all(jobs.map((job) => job.stop()));
      mailer?.close();
    },
  };
}
