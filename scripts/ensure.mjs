// Runs before anything is installed: built-in modules only.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oneAtATime } from './steps/one-at-a-time.mjs';
import { startProgress } from './steps/progress.mjs';
import { ROOT, runCommand } from './steps/run-command.mjs';

const OLDEST_NODE = [20, 19];
/** npm writes this file when an installation is complete. */
const RECORD = 'node_modules/.package-lock.json';
// npm passes its own settings on. With these, an installation would lack packages of the build and tests.
// `ignore-scripts` is respected, because no package needs its install script.
const IGNORED_SETTINGS =
  /^(NODE_ENV|npm_config_(omit|production|only|workspaces?|prefix|global))$/i;

/**
 * Checks the Node version, and installs the packages of the lock file that are missing. Exits with 1
 * on failure.
 * @param {{ onlyToStart?: boolean }} [options] `onlyToStart` leaves out what only tests and checks
 *   need (`devDependencies`), which is more than half of all packages
 */
export async function ensure({ onlyToStart = false } = {}) {
  checkNode();
  const expected = packagesOf('package-lock.json', { onlyToStart });
  if (isInstalled(expected)) return;
  await oneAtATime(async () => {
    if (!isInstalled(expected)) await install(Object.keys(expected), { onlyToStart });
  });
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  fail(
    `Svc needs Node ${OLDEST_NODE.join('.')} or later, but this is ${process.versions.node}. Install a newer version.`,
  );
}

/**
 * @param {string[]} paths folders of the packages, for the progress bar
 * @param {{ onlyToStart: boolean }} options
 */
async function install(paths, { onlyToStart }) {
  const missing = new Set(paths);
  const progress = startProgress('Installing packages', () => {
    for (const path of missing)
      if (existsSync(join(ROOT, path, 'package.json'))) missing.delete(path);
    return 1 - missing.size / paths.length;
  });
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !IGNORED_SETTINGS.test(name)),
  );
  const npm = process.env.npm_execpath ?? '';
  // `npm ci` would first delete the packages of a service that runs from this folder.
  const command = existsSync(join(ROOT, RECORD)) ? ['install', '--no-save'] : ['ci'];
  const args = [...command, onlyToStart ? '--omit=dev' : '--include=dev', '--no-progress'];
  const { code, output } = /npm-cli\.c?js$/.test(npm)
    ? await runCommand(process.execPath, [npm, ...args], { env, quiet: true })
    : await runCommand('npm', args, { env, quiet: true });
  if (code === 0) return progress.done();
  progress.failed();
  // npm repeats this for each of thousands of files.
  if (output.includes('ENOSPC')) {
    fail(`The disk of ${ROOT} is full. Free a gigabyte, then run the command again.`);
  }
  process.stderr.write(output);
  fail('The packages could not be installed. Fix the error above, then run the command again.');
}

/**
 * @param {string} lockFile
 * @param {{ onlyToStart?: boolean }} [options]
 * @returns {Record<string, { version?: string, link?: boolean, optional?: boolean, dev?: boolean }>}
 *   by folder
 */
function packagesOf(lockFile, { onlyToStart = false } = {}) {
  /** @type {{ packages: ReturnType<typeof packagesOf> }} */
  const { packages } = JSON.parse(readFileSync(join(ROOT, lockFile), 'utf8'));
  // Left out: workspaces, and packages that only some platforms get.
  return Object.fromEntries(
    Object.entries(packages).filter(
      ([path, { link, optional, dev }]) =>
        path.includes('node_modules/') && !link && !optional && !(onlyToStart && dev),
    ),
  );
}

/**
 * Compares the packages with npm's record of the installation. That takes 8 ms; asking npm (`npm ls`) takes 1.3 s.
 * @param {ReturnType<typeof packagesOf>} expected
 */
function isInstalled(expected) {
  // The compiler is a program for one platform: without it, node_modules came from another machine.
  const compiler = `node_modules/@typescript/typescript-${process.platform}-${process.arch}`;
  if (![RECORD, compiler].every((path) => existsSync(join(ROOT, path)))) return false;
  const found = packagesOf(RECORD);
  return Object.entries(expected).every(([path, it]) => found[path]?.version === it.version);
}

/**
 * @param {string} sentence
 * @returns {never}
 */
function fail(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

// Node 18 has no import.meta.filename, and must reach the sentence about its version.
if (process.argv[1] === fileURLToPath(import.meta.url)) await ensure();
