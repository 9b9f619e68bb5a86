import { spawn } from 'node:child_process';
import { accessSync, chownSync, constants } from 'node:fs';
import { chmod, mkdtemp, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { runFolder } from './run-folder.ts';

const NOBODY = 65_534;
const PORT = 6_432;

/** Returns the program that `PGBOUNCER_BIN` names, or the one on the PATH; undefined if there is none. */
export function findPgbouncer(): string | undefined {
  const named = process.env.PGBOUNCER_BIN;
  if (named !== undefined) return named;
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, 'pgbouncer')).find(isProgram);
}

/** Starts PgBouncer in transaction mode in front of the server of `url`. */
export async function startPgbouncer(
  program: string,
  url: string,
): Promise<{ readonly url: string; stop(): Promise<void> }> {
  const folder = await mkdtemp(join(await runFolder(), 'pgbouncer-'));
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const server = {
    host: searchParams.get('host') ?? hostname,
    port: port || '5432',
    user: decodeURIComponent(username),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
  };
  const words = Object.entries(server).map(([name, value]) => `${name}=${value}`);
  const lines = [
    '[databases]',
    `* = ${words.join(' ')}`,
    '[pgbouncer]',
    'pool_mode = transaction',
    'auth_type = any',
    // Fewer than one process's pool has, so that the pool's connections share them.
    'default_pool_size = 4',
    `listen_port = ${PORT}`,
    `unix_socket_dir = ${folder}`,
  ];
  const settings = join(folder, 'pgbouncer.ini');
  await writeFile(settings, `${lines.join('\n')}\n`);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    // PgBouncer refuses to run as root.
    await chmod(dirname(folder), 0o711);
    for (const path of [folder, settings]) chownSync(path, NOBODY, NOBODY);
  }
  const child = spawn(program, [settings], {
    ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
    cwd: '/',
    env: {},
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  await new Promise<void>((resolve, reject) => {
    let output = '';
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`PgBouncer did not start: ${output}`)));
    child.stderr.on('data', (data) => {
      output += data;
      if (output.includes('process up')) resolve();
    });
  });
  return {
    url: `postgres://postgres@localhost:${PORT}${pathname}?host=${encodeURIComponent(folder)}`,
    stop: () =>
      new Promise((resolve) => {
        process.removeListener('exit', kill);
        child.once('exit', () => resolve());
        child.kill('SIGKILL');
      }),
  };
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
