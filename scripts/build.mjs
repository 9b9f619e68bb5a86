import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ensure } from './ensure.mjs';
import { startProgress } from './steps/progress.mjs';
import { ROOT, runNode } from './steps/run-command.mjs';

const STAMP = join(ROOT, '.cache/build.json');
const SHARED = ['package-lock.json', 'tsconfig.base.json'];
const NOT_SOURCE = /^(node_modules|dist|test|\..*)$|\.tsbuildinfo$|\.test\.tsx?$/;

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string[]} inputs folders and files; the step is stale when a name, size or time in them changes
 * @property {string} output file or folder; the step is stale when it is missing
 * @property {string[]} command arguments for node
 * @property {string} cwd
 */

/** Runs first, because the bundles import its output. @type {Step} */
const TYPES = {
  name: 'TypeScript',
  inputs: [...SHARED, 'tsconfig.json', ...workspaces()],
  output: 'packages/db/dist/index.js',
  command: ['node_modules/typescript/bin/tsc', '-b', ...(process.stderr.isTTY ? ['--pretty'] : [])],
  cwd: '.',
};

const COMPRESSION = 'scripts/steps/precompress.mjs';

/** Run in parallel. @type {Step[]} */
const BUNDLES = [
  bundle('packages/core', ['packages/contract', 'packages/ui']),
  bundle('apps/experience', ['packages/contract', 'packages/ui', COMPRESSION]),
  bundle('apps/webhook-portal', ['packages/contract', 'packages/ui', COMPRESSION]),
  bundle('apps/demo-portal', [
    'packages/core',
    'packages/react',
    'packages/contract',
    'packages/ui',
  ]),
].filter((step) => existsSync(join(ROOT, step.cwd, 'vite.config.ts')));

/** Files whose gzipped size a build reports. Explain growth over 10 % in the changeset. */
const SIZES = [
  { what: 'core + widget', path: 'packages/core/dist/svc.js' },
  { what: 'script tag', path: 'packages/core/dist/svc.iife.js' },
  { what: 'experience', path: 'apps/experience/dist' },
];

/** Runs the build steps whose inputs have changed; exits with 1 when a step fails. */
export async function buildIfStale() {
  const stamps = readStamps();
  const stale = [TYPES, ...BUNDLES].filter((step) => !isFresh(step, stamps));
  if (stale.length === 0) return;
  const progress = startProgress('Building');
  const failures = [];
  if (stale.includes(TYPES)) failures.push(...(await run(TYPES, stamps)));
  if (failures.length === 0) {
    const results = await Promise.all(
      stale.filter((step) => step !== TYPES).map((step) => run(step, stamps)),
    );
    failures.push(...results.flat());
  }
  writeStamps(stamps);
  if (failures.length > 0) {
    progress.failed();
    process.stderr.write(failures.join('\n'));
    process.exit(1);
  }
  progress.done(stale.map((step) => step.name).join(', '));
  printSizes();
}

/**
 * @param {string} folder
 * @param {string[]} uses
 * @returns {Step}
 */
function bundle(folder, uses) {
  return {
    name: folder.replace(/^\w+\//, ''),
    inputs: [...SHARED, folder, ...uses],
    output: `${folder}/dist`,
    command: [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
    cwd: folder,
  };
}

function workspaces() {
  return ['packages', 'apps'].flatMap((parent) =>
    readdirSync(join(ROOT, parent)).map((name) => `${parent}/${name}`),
  );
}

/**
 * @param {Step} step
 * @param {Record<string, string>} stamps
 */
function isFresh(step, stamps) {
  return stamps[step.name] === fingerprint(step) && existsSync(join(ROOT, step.output));
}

/**
 * @param {Step} step
 * @param {Record<string, string>} stamps
 * @returns {Promise<string[]>} the output of the step if it failed
 */
async function run(step, stamps) {
  const before = fingerprint(step);
  const cwd = join(ROOT, step.cwd);
  const { code, output } = await runNode(step.command, { cwd, quiet: true });
  if (code !== 0) return [`${step.name}:\n${output}`];
  stamps[step.name] = before;
  return [];
}

/** @param {Step} step */
function fingerprint(step) {
  const hash = createHash('sha256');
  for (const input of step.inputs) addToHash(hash, join(ROOT, input));
  return hash.digest('hex');
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} path
 */
function addToHash(hash, path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) {
    for (const name of readdirSync(path).sort()) {
      if (!NOT_SOURCE.test(name)) addToHash(hash, join(path, name));
    }
  } else {
    hash.update(`${relative(ROOT, path)} ${stat?.size} ${stat?.mtimeMs}\n`);
  }
}

/** @returns {Record<string, string>} */
function readStamps() {
  return existsSync(STAMP) ? JSON.parse(readFileSync(STAMP, 'utf8')) : {};
}

/** @param {Record<string, string>} stamps */
function writeStamps(stamps) {
  mkdirSync(dirname(STAMP), { recursive: true });
  writeFileSync(STAMP, JSON.stringify(stamps));
}

/** Prints each size in kB (1,000 bytes) after gzip -9. */
function printSizes() {
  for (const { what, path } of SIZES) {
    const size = gzippedSize(join(ROOT, path)) / 1000;
    process.stderr.write(`  ${what}: ${size.toFixed(2)} kB gz\n`);
  }
  process.stderr.write(`  script tag's integrity: ${integrityOfScriptTag()}\n`);
}

/** The `integrity` attribute for partners' script tags. `release.json` has it for each file. */
function integrityOfScriptTag() {
  const release = readFileSync(join(ROOT, 'packages/core/dist/release.json'), 'utf8');
  return JSON.parse(release).integrity['svc.iife.js'];
}

/**
 * The gzipped size of the JavaScript below `path`, each file compressed separately.
 * @param {string} path
 * @returns {number} bytes
 */
function gzippedSize(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) {
    return readdirSync(path).reduce((sum, name) => sum + gzippedSize(join(path, name)), 0);
  }
  return stat && path.endsWith('.js') ? gzipSync(readFileSync(path), { level: 9 }).length : 0;
}

if (process.argv[1] === import.meta.filename) {
  await ensure();
  await buildIfStale();
}
