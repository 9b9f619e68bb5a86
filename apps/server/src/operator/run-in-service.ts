import { setTimeout as sleep } from 'node:timers/promises';
import { type Log, lockedVault, systemClock } from '@svc/runtime';
import { publish } from '@svc/webhooks';
import { readClearNames } from '../clear-names.ts';
import { readConfig, readDatabaseConfig } from '../config.ts';
import type { Service } from '../context.ts';
import { createService } from '../create-service.ts';
import { keyKnownForMs } from '../domain/access/known-keys.ts';
import { openIdentityProvider, openTexts } from '../outside/open-outside.ts';
import { processors } from '../processors/index.ts';
import { openProcessor } from '../processors/open-processor.ts';
import { routingOf } from '../relay/open-destinations.ts';
import { routeMessages } from '../relay/route-messages.ts';
import { openVault } from '../secret-key.ts';
import type { Config } from '../service-settings.ts';
import { type Answer, administer } from './administer.ts';
import { askService } from './control.ts';
import { describeDatabase, type OpenedDatabase, openForCommand } from './open-for-command.ts';
import { openForReport } from './open-for-report.ts';
import type { Call } from './parse-command-line.ts';
import type { Operator } from './record-by-operator.ts';
import { showProgress } from './show-progress.ts';

export interface Outcome {
  readonly answer: Answer;
  /** A sentence about which database was changed; undefined if the running service changed it. */
  readonly note?: string;
  /** A sentence about which server a report was read from; undefined without a replica. */
  readonly source?: string | undefined;
}

/**
 * Runs the command in the running service, if one holds the embedded database. Otherwise opens the database and runs
 * it here.
 */
export async function runInService(
  { command, request, createDatabase, manner }: Call,
  { by, log }: { readonly by: Operator; readonly log: Log },
): Promise<Outcome> {
  const { needsDatabaseOnly } = command;
  const config = needsDatabaseOnly ? readDatabaseConfig() : readConfig();
  const progress = showProgress(process.stderr, systemClock);
  if ('dataDir' in config.database) {
    const asked = { request, by, manner };
    const answer = await askService(config.dataDir, asked, progress.update).finally(progress.end);
    if (answer) return { answer };
  }
  const mayReadReplica = command.effect === 'report' && !command.readsPrimary && !createDatabase;
  const opened = mayReadReplica
    ? await openForReport(config, { log })
    : {
        ...(await openForCommand(config, { log, createDatabase })),
        source: undefined,
        isReplica: false,
      };
  const { db, clock, close, source, isReplica } = opened;
  try {
    const service = await serviceOf(config, { db, clock, log, needsDatabaseOnly });
    const parts = {
      commands: { db, clock, vault: service.vault, service },
      service,
      log,
      // Other processes may serve this database, and each caches a key for this long at most.
      revoked: () => sleep(keyKnownForMs),
      progress: progress.update,
      ...(isReplica
        ? { openPrimary: () => openForCommand(config, { log, createDatabase: false }) }
        : {}),
    };
    const answer = await administer(parts, request, by, manner).finally(progress.end);
    return command.effect === 'report'
      ? { answer, source }
      : { answer, note: `Done in ${describeDatabase(config)}.` };
  } finally {
    await close();
  }
}

interface Parts extends Pick<OpenedDatabase, 'db' | 'clock'> {
  readonly log: Log;
  readonly needsDatabaseOnly: boolean;
}

/**
 * Creates the service for a command. What the command publishes is delivered by a process that serves the database.
 */
async function serviceOf(
  config: Config,
  { db, clock, log, needsDatabaseOnly }: Parts,
): Promise<Service> {
  return createService(config, {
    address: { origin: config.publicOrigin ?? `http://localhost:${config.port}` },
    vault: needsDatabaseOnly ? lockedVault : await openVault(db, config, clock.now()),
    // No service has started yet where there is no key, and these commands store no tenant.
    keepsClearNames: needsDatabaseOnly ? false : await readClearNames(db),
    processorRecords: processors,
    texts: openTexts(config, clock),
    identityProvider: openIdentityProvider(config, clock),
    // The service warns when it starts without a processor. A command does not repeat it.
    ...(await openProcessor(config, {
      db,
      clock,
      log: config.processor === undefined ? { ...log, warn() {} } : log,
    })),
    // A process that serves the database finds these messages within a second.
    publish: routeMessages(routingOf(config), publish),
    wake() {},
  });
}
