import { spawn, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../apps/server/test/support/svix-server.ts';

export function hasRedis(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0;
}

/** Starts an empty Redis with a log that is synced once a second. It ends with this process. */
export async function startRedis(): Promise<{ port: number; pid: number }> {
  const port = await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'svc-redis-'));
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', ''];
  const log = ['--appendonly', 'yes', '--appendfsync', 'everysec', '--dir', folder];
  const child = spawn('redis-server', [...options, ...log], { stdio: 'ignore' });
  process.once('exit', () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  while (!(await acceptsConnections(port))) await sleep(20);
  return { port, pid: child.pid ?? 0 };
}

function acceptsConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
