import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { oneAtATime } from './one-at-a-time.mjs';

function lockFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'building.pid');
}

test('a second step starts when the first is done', async () => {
  const lock = lockFile();
  const steps: string[] = [];
  const first = oneAtATime(async () => {
    expect(readFileSync(lock, 'utf8')).toBe(String(process.pid));
    // The second step asks for its turn before the first one ends.
    const second = oneAtATime(async () => void steps.push('second'), lock);
    await new Promise(setImmediate);
    steps.push('first');
    return { second };
  }, lock);
  await (await first).second;
  expect(steps).toEqual(['first', 'second']);
  expect(existsSync(lock)).toBe(false);
});

test.each(['dead process', 'empty file'])('a lock left behind is taken over: %s', async (kind) => {
  const lock = lockFile();
  const { pid } = spawnSync(process.execPath, ['--version']);
  writeFileSync(lock, kind === 'dead process' ? String(pid) : '');
  expect(await oneAtATime(async () => 'done', lock)).toBe('done');
});

test('a step that throws releases the lock', async () => {
  const lock = lockFile();
  await expect(oneAtATime(() => Promise.reject(new Error('full disk')), lock)).rejects.toThrow(
    'full disk',
  );
  expect(existsSync(lock)).toBe(false);
});
