import { testKind, testTarget } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { migrations } from './testing/harness.ts';
import { type Blow, possible } from './testing/torture/blows.ts';
import { misbehaviors } from './testing/torture/chaos-receiver.ts';
import { openDurableServer } from './testing/torture/durable-server.ts';
import { besiege, siegeClasses } from './testing/torture/siege.ts';
import { type Report, torture } from './testing/torture/torture.ts';

// The short form of `npm run torture`.
const seed = 20_260_115;
const rest = 60;

test('kills, a full disk, a stepped clock and hostile receivers lose nothing and change nothing', {
  timeout: 180_000,
}, async () => {
  const report = testKind() === 'postgres' ? await onServer() : await onFolder();
  const { lost, phantoms, unexplained, wrongBytes, open } = report;
  const found = { lost, phantoms, unexplained, wrongBytes, open };
  expect(found).toEqual({ lost: 0, phantoms: 0, unexplained: 0, wrongBytes: 0, open: 0 });
  expect(report.accepted).toBeGreaterThan(0);
  expect(report.kills).toBeGreaterThan(0);
  const beyond = report.byKill.filter(({ held, duplicated }) => held !== null && duplicated > held);
  expect(beyond).toEqual([]);
  // A busy machine may let any of them run into the deadline.
  for (const [path, { errorClass }] of Object.entries(misbehaviors)) {
    const classes = new Set([...Object.keys(report.failures[path] ?? {}), 'timeout']);
    expect({ [path]: classes }).toEqual({ [path]: new Set([errorClass, 'timeout']) });
  }
});

test.runIf(testKind() === 'postgres')(
  'endless bodies, packed bombs, megabytes of headers and broken TLS: one failed attempt each, in little memory',
  async () => {
    const { target, drop } = await testTarget([migrations]);
    const count = 8;
    const { restingMb, highestMb, attempts } = await besiege(target, count);
    await drop();
    expect(highestMb - restingMb).toBeLessThanOrEqual(50);
    const { good, ...hostile } = siegeClasses;
    expect(attempts.good).toEqual({ [good ?? '']: 11 * count });
    for (const [path, errorClass] of Object.entries(hostile)) {
      const { [errorClass]: right = 0, timeout = 0, ...others } = attempts[path] ?? {};
      // A busy machine may let any of them run into the deadline.
      const late = errorClass === 'timeout' ? 0 : timeout;
      expect({ [path]: right + late, others }).toEqual({ [path]: count, others: {} });
    }
  },
);

async function onServer(): Promise<Report> {
  const server = await openDurableServer();
  const blows: Blow[] = ['kill', possible('full-disk'), 'clock'];
  const report = await torture({ target: server.target, server, seed, processes: 2, blows, rest });
  await server.stop();
  return report;
}

async function onFolder(): Promise<Report> {
  const { target, drop } = await testTarget([migrations]);
  const report = await torture({ target, seed, processes: 1, blows: ['kill', 'clock'], rest });
  await drop();
  return report;
}
