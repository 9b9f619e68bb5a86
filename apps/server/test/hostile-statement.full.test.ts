import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Entry, runEntry } from './run-entry.ts';

// The command asks the service that holds the embedded database. It reads the file in its own process, so a
// file that takes all memory of a process costs the command and not the service.

let folder = '';
let service: Entry;
let address = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-hostile-'));
  service = runEntry('serve', { settings: { SVC_DATA_DIR: join(folder, 'data') } });
  await service.until('answers at');
  address = /http:\/\/[\w.:]+/.exec(service.output().stdout)?.[0] ?? '';
}, 180_000);
afterAll(async () => {
  await service.end('SIGTERM');
  await rm(folder, { recursive: true });
});

const svc = (...args: string[]) =>
  runEntry('cli', { settings: { SVC_DATA_DIR: join(folder, 'data') }, args });

test('a camt.053 of 15 million elements is refused, and the service keeps serving', async () => {
  const added = await svc(
    ...'bank add operating --currency USD --account-last4 6789'.split(' '),
    ...'--ledger-account cash --from 2026-03-02'.split(' '),
  ).end();
  expect(added.code).toBe(0);
  const file = join(folder, 'hostile.xml');
  await writeFile(file, `<Document><BkToCstmrStmt><Stmt>${'<a/>'.repeat(15_000_000)}`);
  const command = svc('statement', 'import', file, '--bank', 'operating');
  const ended = command.end();
  let answers = 0;
  let isRunning = true;
  void ended.then(() => {
    isRunning = false;
  });
  while (isRunning) {
    const { status } = await fetch(`${address}/readyz`, { signal: AbortSignal.timeout(5_000) });
    expect(status).toBe(200);
    answers += 1;
  }
  const { code, stderr } = await ended;
  expect(code).toBe(1);
  expect(stderr).toContain('was not imported. Line 1: the file has more than 4000000 elements.');
  expect(answers).toBeGreaterThan(10);
}, 180_000);
