import { testKind, testTarget } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { migrations } from './testing/harness.ts';
import { misbehaviors } from './testing/torture/chaos-receiver.ts';
import { openDurableServer } from './testing/torture/durable-server.ts';
import { type Report, torture } from './testing/torture/torture.ts';

// The short form of `npm run torture`. With this seed a process is killed
// and the database restarted, twice.
const seed = 20_260_115;

test('kills, a broken database and hostile receivers lose nothing and change nothing', {
  timeout: 180_000,
}, async () => {
  const report = testKind() === 'postgres' ? await onServer() : await onFolder();
  const { lost, phantoms, unexplained, wrongBytes, open } = report;
  const found = { lost, phantoms, unexplained, wrongBytes, open };
  expect(found).toEqual({ lost: 0, phantoms: 0, unexplained: 0, wrongBytes: 0, open: 0 });
  expect(report.accepted).toBeGreaterThan(0);
  expect(report.kills).toBeGreaterThan(0);
  expect(report.restarts > 0).toBe(testKind() === 'postgres');
  // A busy machine may let any of them run into the deadline.
  for (const [path, { errorClass }] of Object.entries(misbehaviors)) {
    const classes = new Set([...Object.keys(report.failures[path] ?? {}), 'timeout']);
    expect({ [path]: classes }).toEqual({ [path]: new Set([errorClass, 'timeout']) });
  }
});

async function onServer(): Promise<Report> {
  const { target, restart, stop } = await openDurableServer();
  const options = { target, seed, processes: 2, blows: 3, rest: 200 };
  const report = await torture({ ...options, restartDatabase: restart });
  await stop();
  return report;
}

async function onFolder(): Promise<Report> {
  const { target, drop } = await testTarget([migrations]);
  const report = await torture({ target, seed, processes: 1, blows: 2, rest: 200 });
  await drop();
  return report;
}
