import { type DatabaseTarget, openDatabase } from '@svc/db';
import { createEndpoint } from '../../endpoints/create-endpoint.ts';
import type { Tuning } from '../../limits.ts';
import { testVault } from '../harness.ts';
import { type ChaosProcess, startChaosProcess } from './chaos-process.ts';
import {
  type ChaosReceiver,
  goodPaths,
  misbehaviors,
  openChaosReceiver,
} from './chaos-receiver.ts';
import { createRandom } from './random.ts';
import { judge, type Verdict } from './verdict.ts';

export interface TortureOptions {
  readonly target: DatabaseTarget;
  /** Breaks the database and brings it back; left out when it lives inside the process. */
  readonly restartDatabase?: (how: 'orderly' | 'crash') => Promise<void>;
  /** Decides who is hit and when, in requests that came in. */
  readonly seed: number;
  /** At the same time; an embedded database takes one. */
  readonly processes: number;
  /** Kills and restarts together. */
  readonly blows: number;
  /** Requests between two blows, at most. */
  readonly rest: number;
}

export interface Report extends Verdict {
  readonly seed: number;
  readonly kills: number;
  readonly restarts: number;
  readonly seconds: number;
}

const owner = 'partner_torture';
// Short, so that what is dead is soon known to be; a lease outlasts the deadline by far all the same.
const tuning: Partial<Tuning> = {
  inFlight: 64,
  deadlineMs: 3_000,
  leaseMs: 20_000,
  heartbeatMs: 250,
  deadAfterMs: 1_500,
};

/** Publishes and delivers while processes are killed and the database is; says what came of it. */
export async function torture(options: TortureOptions): Promise<Report> {
  const { target, seed, restartDatabase } = options;
  const began = performance.now();
  const random = createRandom(seed);
  const receiver = await openChaosReceiver([...goodPaths, ...Object.keys(misbehaviors)]);
  const accepted = new Set<string>();
  const killed = new Set<string>();
  let restarts = 0;
  let started = 0;
  await createEndpoints(target, receiver);

  function start(): Promise<ChaosProcess> {
    started += 1;
    const name = `torture/${started}`;
    const task = { target, name, owner, tuning, ahead: 50, oneHostileIn: 20 };
    return startChaosProcess({ ...task, seed: random(2 ** 31) }, (ids) => {
      for (const id of ids) accepted.add(id);
    });
  }

  const running: ChaosProcess[] = [];
  for (let index = 0; index < options.processes; index += 1) running.push(await start());

  for (let blow = 0; blow < options.blows; blow += 1) {
    await receiver.until(receiver.requests() + 1 + random(options.rest));
    if (restartDatabase && random(3) === 0) {
      restarts += 1;
      await restartDatabase(random(2) === 0 ? 'orderly' : 'crash');
    } else {
      const [victim] = running.splice(random(running.length), 1);
      if (!victim) throw new Error('nobody is left to kill');
      killed.add(victim.name);
      await victim.kill();
      running.push(await start());
    }
  }

  await Promise.all(running.map((each) => each.drain()));
  const codes = await Promise.all(running.map((each) => each.stop()));
  await receiver.close();
  if (codes.some((code) => code !== 0)) throw new Error(`processes ended with ${codes.join(', ')}`);
  const verdict = await judge({ target, receiver, accepted, killed });
  const seconds = (performance.now() - began) / 1_000;
  return { seed, kills: killed.size, restarts, ...verdict, seconds };
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
