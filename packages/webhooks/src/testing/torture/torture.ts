import { type DatabaseTarget, openDatabase } from '@svc/db';
import { createEndpoint } from '../../endpoints/create-endpoint.ts';
import type { Tuning } from '../../kernel/tuning.ts';
import { testVault } from '../harness.ts';
import { type ChaosProcess, startChaosProcess } from './chaos-process.ts';
import {
  type ChaosReceiver,
  goodPaths,
  misbehaviors,
  openChaosReceiver,
} from './chaos-receiver.ts';
import type { DurableServer } from './durable-server.ts';
import { breakServer, type Fault, type Kill, killFrozen } from './faults.ts';
import { createRandom, type Random } from './random.ts';
import { judge, type Verdict } from './verdict.ts';

interface TortureOptions {
  readonly target: DatabaseTarget;
  /** The database server, which some faults are injected into. Left out for an embedded database. */
  readonly server?: DurableServer;
  /** Determines which process each fault hits, and after how many requests. */
  readonly seed: number;
  /** Processes at the same time. An embedded database allows one. */
  readonly processes: number;
  readonly faults: readonly Fault[];
  /** The most requests between two faults. */
  readonly rest: number;
}

export interface Report extends Verdict {
  readonly seed: number;
  readonly kills: number;
  /** Restarts of the database, including those after full disks. */
  readonly restarts: number;
  readonly fullDisks: number;
  readonly clockSteps: number;
  /** Deliveries in flight and duplicates, by kill. */
  readonly byKill: readonly (Kill & { readonly duplicated: number })[];
  readonly seconds: number;
}

const owner = 'partner_torture';
const stepMs = 3_600_000;
// Short times, so that dead processes are found soon. A lease still far outlasts the deadline.
const tuning: Partial<Tuning> = {
  inFlight: 64,
  deadlineMs: 2_000,
  leaseMs: 20_000,
  heartbeatMs: 250,
  deadAfterMs: 1_500,
  retrySchedule: [0, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000],
};

/** Publishes and delivers while faults are injected. Returns the faults, losses and duplicates. */
export async function torture(options: TortureOptions): Promise<Report> {
  const began = performance.now();
  const paths = [...goodPaths, ...Object.keys(misbehaviors)];
  const receiver = await openChaosReceiver(paths);
  await createEndpoints(options.target, receiver);
  const run = new TortureRun(options, receiver);
  await run.run();
  await receiver.close();
  const { accepted, kills } = run;
  const killed = new Set(kills.map(({ process }) => process));
  const verdict = await judge({ target: options.target, receiver, accepted, killed });
  const count = (...kinds: Fault[]) =>
    options.faults.filter((fault) => kinds.includes(fault)).length;
  return {
    seed: options.seed,
    kills: kills.length,
    restarts: count('restart', 'crash', 'full-disk'),
    fullDisks: count('full-disk'),
    clockSteps: count('clock'),
    ...verdict,
    byKill: kills.map((kill) => ({
      ...kill,
      duplicated: verdict.duplicatedBy.get(kill.process) ?? 0,
    })),
    seconds: (performance.now() - began) / 1_000,
  };
}

class TortureRun {
  readonly accepted = new Set<string>();
  readonly kills: Kill[] = [];
  private readonly options: TortureOptions;
  private readonly receiver: ChaosReceiver;
  private readonly random: Random;
  private running: ChaosProcess[] = [];
  private started = 0;
  private skewMs = 0;
  /** Processes that were running when the clock was set or the database crashed, which expires leases. */
  private unsure: readonly ChaosProcess[] = [];

  constructor(options: TortureOptions, receiver: ChaosReceiver) {
    this.options = options;
    this.receiver = receiver;
    this.random = createRandom(options.seed);
  }

  async run(): Promise<void> {
    const { processes, faults, rest } = this.options;
    for (let index = 0; index < processes; index += 1) await this.start();
    for (const fault of faults) {
      await this.receiver.until(this.receiver.requests() + 1 + this.random(rest));
      await this.inject(fault);
    }
    // Retries scheduled while the clock was ahead become due again.
    if (faults.includes('clock')) this.step(stepMs);
    await Promise.all(this.running.map((each) => each.drain()));
    const codes = await Promise.all(this.running.map((each) => each.stop()));
    if (codes.some((code) => code !== 0)) {
      throw new Error(`processes ended with ${codes.join(', ')}`);
    }
  }

  private async inject(fault: Fault): Promise<void> {
    const { server } = this.options;
    const index = this.random(this.running.length);
    const victim = this.running[index];
    if (!victim) throw new Error('no process is running');
    if (fault === 'clock') this.step(this.skewMs === 0 ? stepMs : 0);
    else if (fault === 'kill') await this.kill(victim);
    else if (server) {
      await breakServer(server, fault, victim);
      if (fault !== 'restart') this.unsure = [...this.running];
    }
  }

  private async kill(victim: ChaosProcess): Promise<void> {
    this.running = this.running.filter((each) => each !== victim);
    const kill = await this.end(victim);
    const next = await this.start();
    const inFlight = this.options.server ? kill.inFlight : next.found;
    this.kills.push({ ...kill, inFlight: this.unsure.includes(victim) ? null : inFlight });
  }

  private async end(victim: ChaosProcess): Promise<Kill> {
    const { target, server } = this.options;
    if (!server) {
      await victim.kill();
      return { process: victim.name, inFlight: null };
    }
    const db = await openDatabase(target);
    const kill = await killFrozen(db, victim);
    await db.close();
    return kill;
  }

  private async start(): Promise<ChaosProcess> {
    const { target } = this.options;
    this.started += 1;
    const name = `torture/${this.started}`;
    const seed = this.random(2 ** 31);
    const task = { target, name, owner, tuning, ahead: 50, oneHostileIn: 40, seed };
    const made = await startChaosProcess({ ...task, skewMs: this.skewMs }, (ids) => {
      for (const id of ids) this.accepted.add(id);
    });
    this.running.push(made);
    return made;
  }

  /** Sets the clocks of all processes, as if they ran on one machine. */
  private step(skewMs: number): void {
    this.skewMs = skewMs;
    for (const each of this.running) each.stepClock(skewMs);
    this.unsure = [...this.running];
  }
}

async function createEndpoints(target: DatabaseTarget, { urlOf }: ChaosReceiver): Promise<void> {
  const db = await openDatabase(target);
  const deps = { vault: testVault, policy: { allowPrivate: true, allowHttp: true } };
  const endpoints = [
    ...goodPaths.map((path) => ({ path, type: 'torture.good' })),
    ...Object.keys(misbehaviors).map((path) => ({ path, type: 'torture.hostile' })),
  ];
  for (const { path, type } of endpoints) {
    const input = { url: urlOf(path), event_types: [type] };
    await db.transaction((tx) => createEndpoint(tx, deps, owner, input, new Date()));
  }
  await db.close();
}
