import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ROOT } from './run-command.mjs';

/** The file with the id of the process that installs or builds in this folder. */
const LOCK = join(ROOT, '.cache/building.pid');
const POLL_MS = 200;

/**
 * Runs the step while no other command installs or builds in this folder, such as a second `npm start`
 * or the rest of a build that `npm start` runs in the background.
 * @template T
 * @param {() => Promise<T>} step
 * @param {string} [lock] the file
 * @returns {Promise<T>}
 */
export async function oneAtATime(step, lock = LOCK) {
  let isWaiting = false;
  while (!takeLock(lock)) {
    const owner = readOwner(lock);
    if (owner !== undefined && !isWaiting) {
      isWaiting = true;
      process.stderr.write(
        `Waiting for process ${owner}, which installs or builds in this folder. If it does neither, delete ${lock}.\n`,
      );
    }
    await wait(POLL_MS);
  }
  const release = () => rmSync(lock, { force: true });
  // A step that fails ends the process, which skips `finally`.
  process.once('exit', release);
  try {
    return await step();
  } finally {
    process.off('exit', release);
    release();
  }
}

/**
 * Takes the lock by creating its file, and returns whether that worked. Deletes the file of a process that has ended.
 * @param {string} lock
 */
function takeLock(lock) {
  try {
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'EEXIST') {
      if (readOwner(lock) === undefined) rmSync(lock, { force: true });
      return false;
    }
    process.stderr.write(
      `Svc installs packages and builds in ${ROOT}, but cannot write there: ${message}. Use a folder of your own, with free space.\n`,
    );
    process.exit(1);
  }
}

/**
 * Returns the id of the running process that holds the lock. A command that was killed leaves its file behind.
 * @param {string} lock
 * @returns {number | undefined}
 */
function readOwner(lock) {
  const owner = Number(existsSync(lock) ? readFileSync(lock, 'utf8') : '');
  if (!(owner > 0)) return undefined;
  try {
    process.kill(owner, 0);
    return owner;
  } catch (error) {
    // EPERM: the process is running, and belongs to another user.
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM' ? owner : undefined;
  }
}
