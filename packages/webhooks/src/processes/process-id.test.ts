import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { hasEnded, newProcessId } from './process-id.ts';

describe('the id of a process', () => {
  test('is unique, and a running process has not ended', () => {
    const [one, other] = [newProcessId(), newProcessId()];
    expect(one).not.toBe(other);
    expect([hasEnded(one), hasEnded(other)]).toEqual([false, false]);
  });

  test.skipIf(process.platform !== 'linux')('shows that its process has ended', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
    await once(child, 'spawn');
    const [place, pid, started, random] = newProcessId().split('.');
    const ofChild = [place, child.pid, started, random].join('.');
    // The pid is in use, but by a process that started at another time.
    expect(hasEnded(ofChild) || started === undefined || pid === undefined).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(hasEnded(ofChild)).toBe(true);
  });

  test.each(['', 'elsewhere.1.1.00', '0b1c', '6d2f0b1c-uuid'])(
    '%j is not known to have ended',
    (id) => expect(hasEnded(id)).toBe(false),
  );
});
