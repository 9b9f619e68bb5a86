import { expect, test } from 'vitest';
import { ROOT, runNode } from './run-command.mjs';

const run = (code: string) => runNode(['--eval', code], { quiet: true });

test('returns the exit code and the output, and starts in the repository', async () => {
  const code = `console.log(process.cwd() + '/'); console.error('oops'); process.exit(3)`;
  expect(await run(code)).toEqual({ code: 3, output: `${ROOT}\noops\n` });
});

test('after a signal the code is above 128', async () => {
  expect((await run(`process.kill(process.pid, 'SIGTERM')`)).code).toBe(143);
});

test('gives no input, so that no program waits for an answer', async () => {
  const code = `process.stdin.on('data', () => {}).on('end', () => process.exit(4))`;
  expect((await run(code)).code).toBe(4);
});

test('removes its listeners', async () => {
  const before = ['SIGINT', 'SIGTERM'].map((signal) => process.listenerCount(signal));
  await Promise.all([run(''), run('')]);
  expect(['SIGINT', 'SIGTERM'].map((signal) => process.listenerCount(signal))).toEqual(before);
});

test('a missing folder is an error', async () => {
  await expect(runNode([], { cwd: '/no/such/folder' })).rejects.toThrow('ENOENT');
});
