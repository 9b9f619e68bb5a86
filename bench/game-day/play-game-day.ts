import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '@svc/db';
import { addWorker, type CitusServer } from '@svc/db/testing';
import { migrations, version } from '../../apps/server/src/migrations.ts';
import { tablePlacementOptions } from '../../apps/server/src/operator/distribute.ts';
import { rebalance } from '../../apps/server/src/operator/rebalance.ts';
import type { Traffic } from '../failover/start-traffic.ts';
import { endWork, findFaults, type Totals } from './check-all.ts';
import { mergeAcknowledged } from './merge-acknowledged.ts';
import { type RestoreResult, restoreAll } from './restore-all.ts';
import { type Pace, runStep, type Step, type StepResult } from './run-step.ts';
import { type Stage, startStage } from './start-stage.ts';

export interface GameDay extends Pace {
  readonly bin: string;
  readonly partners: number;
  /** Only the steps whose name contains this. The checks and the restore always follow. */
  readonly only?: string;
}

export interface GameDayResult {
  readonly steps: readonly StepResult[];
  readonly restore: RestoreResult;
  readonly totals: Totals;
  /** Each violation as a sentence. */
  readonly faults: readonly string[];
}

/** Plays every step of the game day, and calls `report` for each that begins. */
export async function playGameDay(
  { bin, partners, only = '', ...pace }: GameDay,
  report: (line: string) => void,
): Promise<GameDayResult> {
  const stage = await startStage(bin, partners);
  try {
    report(`The log of the service is ${stage.logFile}.`);
    const steps: StepResult[] = [];
    const traffics: Traffic[] = [];
    for (const step of stepsOf(stage).filter(({ name }) => name.includes(only))) {
      report(`${step.name} …`);
      const played = await runStep(stage, step, pace);
      steps.push(played.result);
      report(describeStep(played.result));
      traffics.push(...played.traffics);
    }
    report('the work that is left, which takes a minute or two …');
    await endWork(stage);
    report('checking …');
    const { faults, totals } = await findFaults(stage, mergeAcknowledged(traffics));
    report('restore to one point in time …');
    const restore = await restoreAll(stage, pace);
    const refusals = traffics.flatMap((it) => it.refusals).map((it) => `A call was refused: ${it}`);
    return { steps, restore, totals, faults: [...refusals, ...faults, ...restore.faults] };
  } finally {
    await stage.close();
  }
}

/** Describes a finished step for the log, because the run takes minutes and prints its table only at the end. */
function describeStep(step: StepResult): string {
  const seconds = (ms: number | null) => `${((ms ?? 0) / 1_000).toFixed(1)} s`;
  const others = `others: longest call ${seconds(step.othersCallMs)}, ${step.othersRefused} calls with 503, jobs done after ${seconds(step.othersJobsMs)}`;
  if (step.ownCallsMs === null) return `  ${others}`;
  return `  ${others}; own: served after ${seconds(step.ownCallsMs)}, jobs done after ${seconds(step.ownJobsMs)}`;
}

function stepsOf(stage: Stage): Step[] {
  const [first, second] = stage.workers as [CitusServer, CitusServer];
  return [
    { name: 'nothing fails', begin: async () => {} },
    killed('first worker killed', first),
    killed('second worker killed', second),
    {
      name: 'second worker frozen',
      port: second.port,
      begin: () => second.freeze(),
      end: () => second.thaw(),
    },
    {
      name: 'failover of the first worker',
      port: first.port,
      begin: () => first.stop('SIGKILL'),
      end: () => failOver(stage, first),
    },
    { name: 'migration', begin: () => migrateLater(stage) },
    { name: 'third worker, and partners move to it', begin: () => growByOne(stage) },
  ];
}

function killed(name: string, worker: CitusServer): Step {
  return {
    name,
    port: worker.port,
    begin: () => worker.stop('SIGKILL'),
    end: () => worker.start(),
  };
}

/** Runs the failover commands of docs/operate/cluster.md. */
async function failOver(stage: Stage, lost: CitusServer): Promise<void> {
  const { coordinator, standby, workers } = stage;
  await standby.promote();
  await coordinator.query(
    `select citus_update_node(nodeid, '127.0.0.1', ${standby.port}, force => true, lock_cooldown => 1000)
    from pg_dist_node where nodename = '127.0.0.1' and nodeport = ${lost.port}`,
    'svc',
  );
  workers[workers.indexOf(lost)] = standby;
}

/** Migrations that a later release may have: a table, a column, an index, and a backfill. */
const laterSteps = [
  `create table game_day_note (
    partner_id text not null references partner (id), tenant_id text not null, id text not null,
    primary key (partner_id, id),
    foreign key (partner_id, tenant_id) references tenant (partner_id, id));`,
  'alter table plan add column game_day text;',
  '-- no-transaction\ncreate index concurrently plan_game_day on plan (partner_id, game_day);',
  '-- backfill: plan by id, 500 rows\nupdate plan set game_day = state where id between $1 and $2;',
];

async function migrateLater({ db }: Stage): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-later-'));
  try {
    for (const [index, text] of laterSteps.entries()) {
      const file = join(folder, `000${index + 1}_step.sql`);
      await writeFile(file, `-- oldest-service: ${version}\n${text}\n`);
    }
    const later = { name: 'game day', folder };
    await migrate(db, [...migrations, later], { version, ...tablePlacementOptions(db) });
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Adds the spare server as a worker and moves partners to it, as `svc-admin db rebalance apply` does. */
async function growByOne({ db, settings, spare, workers }: Stage): Promise<void> {
  await addWorker(settings.DATABASE_URL ?? '', spare.url);
  workers.push(spare);
  const { moved } = await rebalance(db, {
    known: [],
    report: () => {},
    signal: new AbortController().signal,
    record: async () => {},
  });
  if (moved.length === 0) throw new Error('No partner has moved to the new worker.');
}
