import { testKind, testTarget } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { migrations } from './testing/harness.ts';
import { attack, expectedOutcomes } from './testing/torture/attack.ts';
import { misbehaviors } from './testing/torture/chaos-receiver.ts';
import { openDurableServer } from './testing/torture/durable-server.ts';
import { type Fault, toPossibleFault } from './testing/torture/faults.ts';
import { type Report, torture } from './testing/torture/torture.ts';

// The short form of `npm run torture`.
const seed = 20_260_115;
const rest = 60;

test('kills, a full disk, a clock that is set and hostile receivers lose and change nothing', {
  timeout: 180_000,
}, async () => {
  const report = testKind() === 'postgres' ? await onServer() : await onFolder();
  const { lost, phantoms, unexplained, wrongBytes, open } = report;
  const found = { lost, phantoms, unexplained, wrongBytes, open };
  expect(found).toEqual({ lost: 0, phantoms: 0, unexplained: 0, wrongBytes: 0, open: 0 });
  expect(report.accepted).toBeGreaterThan(0);
  expect(report.kills).toBeGreaterThan(0);
  const beyond = report.byKill.filter(
    ({ inFlight, duplicated }) => inFlight !== null && duplicated > inFlight,
  );
  expect(beyond).toEqual([]);
  // A busy machine may let any of them run into the deadline.
  for (const [path, { errorClass }] of Object.entries(misbehaviors)) {
    const classes = new Set([...Object.keys(report.failures[path] ?? {}), 'timeout']);
    expect({ [path]: classes }).toEqual({ [path]: new Set([errorClass, 'timeout']) });
  }
});

test.runIf(testKind() === 'postgres')(
  'endless bodies, gzip bombs, megabytes of headers and broken TLS cause one failed attempt each and use little memory',
  async () => {
    const { target, drop } = await testTarget([migrations]);
    const count = 8;
    const { restingMb, highestMb, attempts } = await attack(target, count);
    await drop();
    expect(highestMb - restingMb).toBeLessThanOrEqual(50);
    const { good, ...hostile } = expectedOutcomes;
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
  const faults: Fault[] = ['kill', toPossibleFault('full-disk'), 'clock'];
  const report = await torture({ target: server.target, server, seed, processes: 2, faults, rest });
  await server.stop();
  return report;
}

async function onFolder(): Promise<Report> {
  const { target, drop } = await testTarget([migrations]);
  const report = await torture({ target, seed, processes: 1, faults: ['kill', 'clock'], rest });
  await drop();
  return report;
}
