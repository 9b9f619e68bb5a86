// Runs before anything is installed: built-in modules only.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startProgress } from './steps/progress.mjs';
import { ROOT, runCommand } from './steps/run-command.mjs';

const OLDEST_NODE = [20, 19];
const STAMP = join(ROOT, 'node_modules/.install-stamp');
// npm passes its own settings on. With these, an installation would lack packages of the build and tests.
const IGNORED_SETTINGS =
  /^(NODE_ENV|npm_config_(omit|production|only|workspaces?|prefix|global|ignore_scripts))$/i;

/** Checks the Node version and runs `npm ci` unless the lock file is installed; exits with 1 on failure. */
export async function ensure() {
  checkNode();
  const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
  const platform = `${process.version} ${process.platform}-${process.arch}`;
  const stamp = `${createHash('sha256').update(lock).update(platform).digest('hex')}\n${platform}\n`;
  const old = existsSync(STAMP) ? readFileSync(STAMP, 'utf8') : '';
  if (old === stamp) return;
  const packages = expectedPackages(JSON.parse(lock).packages);
  const samePlatform = old === '' || old.endsWith(`\n${platform}\n`);
  if (!(samePlatform && isInstalled(packages))) await install(Object.keys(packages));
  writeFileSync(STAMP, stamp);
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
 * Version by path of each package that is installed on every machine.
 * @param {Record<string, { version?: string, link?: boolean, optional?: boolean }>} packages
 * @returns {Record<string, string>}
 */
function expectedPackages(packages) {
  const entries = Object.entries(packages)
    .filter(([path, entry]) => path.startsWith('node_modules/') && !entry.link && !entry.optional)
    .map(([path, entry]) => [path, entry.version ?? '']);
  return Object.fromEntries(entries);
}

/**
 * Whether npm's own record of node_modules contains every package, as after a plain `npm install`.
 * @param {Record<string, string>} expected
 */
function isInstalled(expected) {
  const record = join(ROOT, 'node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const { packages } = JSON.parse(readFileSync(record, 'utf8'));
  return Object.entries(expected).every(([path, version]) => packages[path]?.version === version);
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
