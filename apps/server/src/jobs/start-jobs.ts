import type { DecisionService } from '../outside/decision-service.ts';
import type { MailFiles } from '../outside/mail-files.ts';
import type { Mailer } from '../outside/mailer.ts';
import { decisionsLane } from './ask-for-decisions.ts';
import { setupsLane } from './check-setups.ts';
import { mailFilesLane } from './delete-mail-files.ts';
import { type DueDeps, dueLanes } from './due-lanes.ts';
import { type LaneRecorder, startLane } from './lane.ts';
import { ledgerPartitionsLane } from './ledger-partitions.ts';
import { mailsLane } from './send-mails.ts';
import { textsLane } from './send-texts.ts';
import { sweepLane } from './sweep-processor.ts';
import { statisticsLane, vacuumLane } from './vacuum.ts';

interface Deps extends DueDeps {
  readonly mailer: Mailer | null;
  readonly mailFiles: MailFiles;
  readonly decisions: DecisionService | null;
  readonly recorder?: LaneRecorder;
}

export interface Jobs {
  /** Begins a pass of every lane now, such as when a partner's server answers again. Also after failed batches. */
  wake(): void;
  /** Resolves when the running batch of each lane has ended; no further one starts. */
  stop(): Promise<void>;
}

/** Starts all background work of the service except for webhooks. */
export function startJobs(deps: Deps): Jobs {
  const { db, decisions, mailer, service } = deps;
  const lanes = [
    ...dueLanes(deps),
    ledgerPartitionsLane(deps),
    mailsLane(deps),
    mailFilesLane(deps),
    ...(service.texts ? [textsLane(deps, service.texts)] : []),
    // The simulator has no page, and its webhooks cannot be missed.
    ...(service.processor && !service.simulator
      ? [sweepLane(deps, service.processor), setupsLane(deps, service.processor)]
      : []),
    ...(decisions ? [decisionsLane({ ...deps, decisions })] : []),
    statisticsLane(db),
    ...(db.kind === 'embedded' ? [vacuumLane(db)] : []),
  ];
  const running = lanes.map((lane, index) =>
    startLane(lane, { ...deps, phase: (index + 1) / lanes.length }),
  );
  return {
    wake() {
      for (const lane of running) lane.wake();
    },
    async stop() {
      await Promise.all(running.map((lane) => lane.stop()));
      mailer?.close();
    },
  };
}
