import { type DatabaseTarget, openDatabase } from '@svc/db';
import { createEndpoint } from '../../endpoints/create-endpoint.ts';
import type { Tuning } from '../../kernel/tuning.ts';
import { testVault } from '../harness.ts';
import { type Blow, breakServer, type Kill, killFrozen } from './blows.ts';
import { type ChaosProcess, startChaosProcess } from './chaos-process.ts';
import {
  type ChaosReceiver,
  goodPaths,
  misbehaviors,
  openChaosReceiver,
} from './chaos-receiver.ts';
import type { DurableServer } from './durable-server.ts';
import { createRandom, type Random } from './random.ts';
import { judge, type Verdict } from './verdict.ts';

export interface TortureOptions {
  readonly target: DatabaseTarget;
  /** To be broken, too; left out when the database lives inside the process. */
  readonly server?: DurableServer;
  /** Decides who is hit and when, in requests that came in. */
  readonly seed: number;
  /** At the same time; an embedded database takes one. */
  readonly processes: number;
  readonly blows: readonly Blow[];
  /** Requests between two blows, at most. */
  readonly rest: number;
}

export interface Report extends Verdict {
  readonly seed: number;
  readonly kills: number;
  /** Of the database, full disks included. */
  readonly restarts: number;
  readonly fullDisks: number;
  readonly clockSteps: number;
  /** Deliveries in flight and duplicates, by kill. */
  readonly byKill: readonly (Kill & { readonly duplicated: number })[];
  readonly seconds: number;
}

const owner = 'partner_torture';
const stepMs = 3_600_000;
// Short, so that what is dead is soon known to be; a lease outlasts the deadline by far all the same.
const tuning: Partial<Tuning> = {
  inFlight: 64,
  deadlineMs: 2_000,
  leaseMs: 20_000,
  heartbeatMs: 250,
  deadAfterMs: 1_500,
  retrySchedule: [0, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000, 1_000],
};

/** Publishes and delivers while all around it breaks; says what came of it. */
export async function torture(options: TortureOptions): Promise<Report> {
  const began = performance.now();
  const paths = [...goodPaths, ...Object.keys(misbehaviors)];
  const receiver = await openChaosReceiver(paths);
  await createEndpoints(options.target, receiver);
  const ordeal = new Ordeal(options, receiver);
  await ordeal.run();
  await receiver.close();
  const { accepted, kills } = ordeal;
  const killed = new Set(kills.map(({ process }) => process));
  const verdict = await judge({ target: options.target, receiver, accepted, killed });
  const of = (...wanted: Blow[]) => options.blows.filter((blow) => wanted.includes(blow)).length;
  return {
    seed: options.seed,
    kills: kills.length,
    restarts: of('restart', 'crash', 'full-disk'),
    fullDisks: of('full-disk'),
    clockSteps: of('clock'),
    ...verdict,
    byKill: kills.map((kill) => ({
      ...kill,
      duplicated: verdict.duplicatedBy.get(kill.process) ?? 0,
    })),
    seconds: (performance.now() - began) / 1_000,
  };
}

class Ordeal {
  readonly accepted = new Set<string>();
  readonly kills: Kill[] = [];
  private readonly options: TortureOptions;
  private readonly receiver: ChaosReceiver;
  private readonly random: Random;
  private running: ChaosProcess[] = [];
  private started = 0;
  private skewMs = 0;
  /** Running when the clock stepped or the database crashed, either of which takes leases away. */
  private unsure: readonly ChaosProcess[] = [];

  constructor(options: TortureOptions, receiver: ChaosReceiver) {
    this.options = options;
    this.receiver = receiver;
    this.random = createRandom(options.seed);
  }

  async run(): Promise<void> {
    const { processes, blows, rest } = this.options;
    for (let index = 0; index < processes; index += 1) await this.start();
    for (const blow of blows) {
      await this.receiver.until(this.receiver.requests() + 1 + this.random(rest));
      await this.strike(blow);
    }
    // What was put off by the clock that was ahead is due again.
    if (blows.includes('clock')) this.step(stepMs);
    await Promise.all(this.running.map((each) => each.drain()));
    const codes = await Promise.all(this.running.map((each) => each.stop()));
    if (codes.some((code) => code !== 0)) {
      throw new Error(`processes ended with ${codes.join(', ')}`);
    }
  }

  private async strike(blow: Blow): Promise<void> {
    const { server } = this.options;
    const index = this.random(this.running.length);
    const victim = this.running[index];
    if (!victim) throw new Error('nobody is left');
    if (blow === 'clock') this.step(this.skewMs === 0 ? stepMs : 0);
    else if (blow === 'kill') await this.kill(victim);
    else if (server) {
      await breakServer(server, blow, victim);
      if (blow !== 'restart') this.unsure = [...this.running];
    }
  }

  private async kill(victim: ChaosProcess): Promise<void> {
    this.running = this.running.filter((each) => each !== victim);
    const kill = await this.end(victim);
    const next = await this.start();
    const held = this.options.server ? kill.held : next.found;
    this.kills.push({ ...kill, held: this.unsure.includes(victim) ? null : held });
  }

  private async end(victim: ChaosProcess): Promise<Kill> {
    const { target, server } = this.options;
    if (!server) {
      await victim.kill();
      return { process: victim.name, held: null };
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

  /** Of all processes together, as one machine's clock does. */
  private step(skewMs: number): void {
    this.skewMs = skewMs;
    for (const each of this.running) each.stepClock(skewMs);
    this.unsure = [...this.running];
  }
}

async function createEndpoints(target: DatabaseTarget, { urlOf }: ChaosReceiver): Promise<void> {
  const db = await openDatabase(target);
  const deps = { vault: testVault, policy: { allowPrivate: true, allowHttp: true } };
  const wanted = [
    ...goodPaths.map((path) => ({ path, type: 'torture.good' })),
    ...Object.keys(misbehaviors).map((path) => ({ path, type: 'torture.hostile' })),
  ];
  for (const { path, type } of wanted) {
    const input = { url: urlOf(path), event_types: [type] };
    await db.transaction((tx) => createEndpoint(tx, deps, owner, input, new Date()));
  }
  await db.close();
}
