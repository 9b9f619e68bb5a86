// Runs before anything is installed: built-in modules only.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgress } from './steps/progress.mjs';
import { ROOT, runCommand } from './steps/run-command.mjs';

const OLDEST_NODE = [20, 19];
// npm passes its own settings on. With these, an installation would lack packages of the build and tests.
const IGNORED_SETTINGS =
  /^(NODE_ENV|npm_config_(omit|production|only|workspaces?|prefix|global|ignore_scripts))$/i;

/** Checks the Node version and runs `npm ci` unless the lock file is installed; exits with 1 on failure. */
export async function ensure() {
  checkNode();
  const expected = packagesOf('package-lock.json');
  if (!isInstalled(expected)) await install(Object.keys(expected));
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST_NODE;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  fail(
    `Svc needs Node ${OLDEST_NODE.join('.')} or later, but this is ${process.versions.node}. Install a newer version.`,
  );
}

/** @param {string[]} paths folders of the packages, for the progress bar */
async function install(paths) {
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
  const args = ['ci', '--include=dev', '--no-progress'];
  const { code, output } = /npm-cli\.c?js$/.test(npm)
    ? await runCommand(process.execPath, [npm, ...args], { env, quiet: true })
    : await runCommand('npm', args, { env, quiet: true });
  if (code === 0) return progress.done();
  progress.failed();
  process.stderr.write(output);
  fail('The packages could not be installed. Fix the error above, then run the command again.');
}

/**
 * @param {string} lockFile
 * @returns {Record<string, { version?: string, link?: boolean, optional?: boolean }>} by folder
 */
function packagesOf(lockFile) {
  /** @type {{ packages: ReturnType<typeof packagesOf> }} */
  const { packages } = JSON.parse(readFileSync(join(ROOT, lockFile), 'utf8'));
  // Left out: workspaces, and packages that only some platforms get.
  return Object.fromEntries(
    Object.entries(packages).filter(
      ([path, { link, optional }]) => path.startsWith('node_modules/') && !link && !optional,
    ),
  );
}

/**
 * Compares with the record that npm writes when an installation is complete. Asking npm (`npm ls`)
 * takes 1.3 s, this 8 ms.
 * @param {ReturnType<typeof packagesOf>} expected
 */
function isInstalled(expected) {
  const record = 'node_modules/.package-lock.json';
  // The compiler is a program for one platform: without it, node_modules came from another machine.
  const compiler = `node_modules/@typescript/typescript-${process.platform}-${process.arch}`;
  if (![record, compiler].every((path) => existsSync(join(ROOT, path)))) return false;
  const found = packagesOf(record);
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

if (process.argv[1] === import.meta.filename) await ensure();
