import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The environment variable with the test run's folder. A test run sets it for its workers. A process that runs alone
 * creates a folder.
 */
const RUN_VARIABLE = 'SVC_TEST_RUN';
const POLL_MS = 25;

// Blocks on stdin until the parent process ends, even by SIGKILL. Then stops each PostgreSQL server in
// the folder, frozen ones too, and removes the folder.
const GUARD = `
  trap '' INT TERM HUP
  cat > /dev/null
  for file in "$1"/*/data/postmaster.pid; do
    [ -f "$file" ] || continue
    pid=$(head -n 1 "$file")
    kill -QUIT "$pid"
    kill -CONT "$pid"
    while kill -0 "$pid"; do sleep 0.1; done
  done
  rm -rf "$1"`;

/** Returns the temporary folder of the test run. It is removed when the process that created it ends. */
export async function runFolder(): Promise<string> {
  const given = process.env[RUN_VARIABLE];
  if (given !== undefined) return given;
  const folder = await mkdtemp(join(tmpdir(), 'svc-test-'));
  process.env[RUN_VARIABLE] = folder;
  const guard = spawn('sh', ['-c', GUARD, 'sh', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard.unref();
  (guard.stdin as unknown as { unref(): void }).unref();
  return folder;
}

/**
 * Builds `name` once per test run, and returns its path in the run's folder. Other processes wait for the one that
 * builds it. If that fails, another one builds it.
 */
export async function onceInRun(
  name: string,
  build: (place: string) => Promise<void>,
): Promise<string> {
  const place = join(await runFolder(), name);
  const claim = `${place}.claim`;
  const done = `${place}.done`;
  while (!(await exists(done))) {
    if (!(await tryCreate(claim))) {
      await sleep(POLL_MS);
      continue;
    }
    if (await exists(done)) break;
    try {
      await build(place);
      await mkdir(done);
    } catch (error) {
      await rm(claim, { recursive: true });
      throw error;
    }
  }
  return place;
}

async function tryCreate(folder: string): Promise<boolean> {
  try {
    await mkdir(folder);
    return true;
  } catch {
    return false;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch {
    return false;
  }
}
