import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ensure } from './ensure.mjs';
import { hasSandbox, PACKED, packedPackages, packSdk, SANDBOX } from './release/pack-sdk.mjs';
import { oneAtATime } from './steps/one-at-a-time.mjs';
import { startProgress } from './steps/progress.mjs';
import { ROOT, runNode } from './steps/run-command.mjs';

const TSC = ['node_modules/typescript/bin/tsc', '-b'];
/** Compiles what `npm start` runs. Checking the types takes three times as long and changes no output. */
const TSC_TO_START = [...TSC, '--noCheck', 'apps/server', 'apps/demo-portal'];
const VITE = join(ROOT, 'node_modules/vite/bin/vite.js');
const STAMPS = join(ROOT, '.cache/build.json');
const NOT_SOURCE = /^(node_modules|dist|test|\..*)$|\.test\.tsx?$/;
const COMPRESSION = 'scripts/steps/precompress.mjs';
const THEME_BOOT = 'scripts/steps/theme-boot.mjs';

/**
 * @typedef {object} Bundle
 * @property {string} folder built by its vite.config.ts into its `dist`
 * @property {string[]} uses other folders and files that it is built from
 * @property {string} [script] builds it instead of Vite
 */

/**
 * The bundles that the first page of `npm start` leads to.
 * @type {Bundle[]}
 */
const BUNDLES_TO_START = [
  { folder: 'packages/core', uses: ['packages/contract', 'packages/ui'] },
  { folder: 'apps/experience', uses: ['packages/contract', 'packages/ui', COMPRESSION] },
  {
    folder: 'apps/console',
    uses: ['packages/contract', 'packages/ui', 'examples/signatures', COMPRESSION, THEME_BOOT],
  },
  {
    folder: 'apps/operator',
    uses: ['packages/contract', 'packages/ui', COMPRESSION, THEME_BOOT],
  },
  {
    folder: 'apps/demo-portal',
    uses: ['packages/core', 'packages/react', 'packages/contract', 'packages/ui'],
  },
];

/** @type {Bundle[]} */
const OTHER_BUNDLES = [
  {
    folder: 'packages/cli',
    uses: ['packages/node', 'packages/mcp', 'packages/contract', 'scripts/release/licenses-of.mjs'],
  },
  {
    folder: 'apps/docs',
    uses: [
      'docs',
      'examples',
      'packages/contract',
      'packages/mcp',
      'packages/ui',
      'packages/webhooks',
      'apps/server/src',
    ],
    script: 'apps/docs/src/build.ts',
  },
];

/** Sources of the tarballs of the published packages, besides their bundles. */
const PACKED_FROM = [...packedPackages(), 'packages/contract', 'packages/ui', 'scripts/release'];

/** Sources of the sandbox's tarball, which contains the service, what it serves, and the other tarballs. */
const SANDBOX_FROM = [
  ...PACKED_FROM,
  ...BUNDLES_TO_START.flatMap(sourcesOf),
  ...OTHER_BUNDLES.flatMap(sourcesOf),
  'apps/server',
  'packages/db',
  'packages/mcp',
  'packages/runtime',
];

/** Files whose gzipped size a build reports. Explain growth over 10 % in the changeset. */
const SIZES = [
  { what: 'core + widget', path: 'packages/core/dist/svc.js' },
  { what: 'script tag', path: 'packages/core/dist/svc.iife.js' },
  { what: 'experience', path: 'apps/experience/dist' },
];

/** Builds everything that is out of date, and checks the types. Exits with 1 on failure. */
export async function buildIfStale() {
  await build({ tsc: TSC, bundles: [...BUNDLES_TO_START, ...OTHER_BUNDLES], withTarballs: true });
}

/** Builds what the first page of `npm start` needs, if it is out of date. Exits with 1 on failure. */
export async function buildToStart() {
  await build({ tsc: TSC_TO_START, bundles: BUNDLES_TO_START, withTarballs: false });
}

/**
 * Builds the docs and the packages that partners install, after `buildToStart`, if they are out of
 * date. Exits with 1 on failure.
 */
export async function buildRest() {
  await build({ tsc: TSC_TO_START, bundles: OTHER_BUNDLES, withTarballs: true });
}

/** Adds the sandbox's tarball to the others, after `buildIfStale`, if it is out of date. */
export async function packSandboxIfStale() {
  // Commands that package at the same time, as tests do, would delete each other's tarball.
  await oneAtATime(async () => {
    const stamps = readStamps();
    const before = fingerprint(SANDBOX_FROM);
    if (hasSandbox() && stamps[SANDBOX] === before) return;
    // It imports Vite, which `ensure` may have to install first.
    const { packSandbox } = await import('./release/pack-sandbox.mjs');
    await packSandbox();
    writeStamps({ ...stamps, [SANDBOX]: before });
  });
}

/** @param {{ tsc: string[], bundles: Bundle[], withTarballs: boolean }} parts */
async function build(parts) {
  if (isStale(await findStale(parts))) {
    // Another command may have built some of it by the time it is our turn.
    await oneAtATime(async () => buildStale(await findStale(parts), parts.tsc));
  }
}

/**
 * @typedef {object} Stale
 * @property {boolean} types
 * @property {Bundle[]} bundles
 * @property {boolean} tarballs
 * @property {Record<string, string>} stamps the fingerprints of the sources that the present files were built from
 */

/**
 * @param {Parameters<typeof build>[0]} parts
 * @returns {Promise<Stale>}
 */
async function findStale({ tsc, bundles, withTarballs }) {
  const stamps = readStamps();
  return {
    types: await typesAreStale(tsc),
    bundles: bundles.filter((bundle) => !isFresh(bundle, stamps)),
    tarballs: withTarballs && !tarballsAreFresh(stamps),
    stamps,
  };
}

/** @param {Stale} stale */
function isStale({ types, bundles, tarballs }) {
  return types || bundles.length > 0 || tarballs;
}

/**
 * Builds TypeScript and the bundles, which use the sources of other packages, in parallel, and then
 * the tarballs that contain them.
 * @param {Stale} stale
 * @param {string[]} tsc
 */
async function buildStale(stale, tsc) {
  if (!isStale(stale)) return;
  const { types, bundles, tarballs, stamps } = stale;
  const progress = startProgress('Building');
  const steps = bundles.map((bundle) => buildBundle(bundle, stamps));
  if (types) steps.push(buildTypes(tsc));
  const failures = (await Promise.all(steps)).flat();
  if (failures.length === 0 && tarballs) failures.push(...(await buildTarballs(stamps)));
  writeStamps(stamps);
  if (failures.length > 0) {
    progress.failed();
    process.stderr.write(failures.join('\n'));
    process.exit(1);
  }
  const built = [types ? 'TypeScript' : '', ...bundles.map(nameOf), tarballs ? 'tarballs' : ''];
  progress.done(built.filter(Boolean).join(', '));
}

/**
 * Asks tsc, which compares the sources of every project with its last build. That takes 0.3 s.
 * @param {string[]} tsc
 */
async function typesAreStale(tsc) {
  const { code, output } = await runNode([...tsc, '--dry'], { quiet: true });
  return code !== 0 || output.includes('A non-dry build would');
}

/**
 * @param {string[]} tsc
 * @returns {Promise<string[]>} the output if it failed
 */
async function buildTypes(tsc) {
  const pretty = process.stderr.isTTY ? ['--pretty'] : [];
  const { code, output } = await runNode([...tsc, ...pretty], { quiet: true });
  return code === 0 ? [] : [`TypeScript:\n${output}`];
}

/**
 * @param {Bundle} bundle
 * @param {Record<string, string>} stamps
 * @returns {Promise<string[]>} the output if it failed
 */
async function buildBundle(bundle, stamps) {
  // Taken before the build, so that a file saved during it makes the bundle stale.
  const before = fingerprint(sourcesOf(bundle));
  // A test that packages a release has NODE_ENV=test, with which Vite would bundle React for development.
  const env = { ...process.env, NODE_ENV: 'production' };
  const { code, output } =
    bundle.script === undefined
      ? await runNode([VITE, 'build', '--logLevel', 'warn'], {
          cwd: join(ROOT, bundle.folder),
          env,
          quiet: true,
        })
      : await runNode(['--conditions=source', '--import', 'tsx', bundle.script], {
          env,
          quiet: true,
        });
  if (code !== 0) return [`${nameOf(bundle)}:\n${output}`];
  stamps[bundle.folder] = before;
  return [];
}

/**
 * @param {Record<string, string>} stamps
 * @returns {Promise<string[]>} what failed
 */
async function buildTarballs(stamps) {
  const before = fingerprint(PACKED_FROM);
  try {
    await packSdk();
    stamps[PACKED] = before;
    return [];
  } catch (error) {
    return [`tarballs:\n${/** @type {Error} */ (error).message}\n`];
  }
}

/** @param {Bundle} bundle */
function sourcesOf({ folder, uses }) {
  return [folder, ...uses];
}

/** @param {Bundle} bundle */
function nameOf({ folder }) {
  return basename(folder);
}

/**
 * Compares a bundle's sources with those of its last build. Vite has no such check, and all bundles take 10 s to build.
 * @param {Bundle} bundle
 * @param {Record<string, string>} stamps
 */
function isFresh(bundle, stamps) {
  const isBuilt = existsSync(join(ROOT, bundle.folder, 'dist'));
  return isBuilt && stamps[bundle.folder] === fingerprint(sourcesOf(bundle));
}

/** @param {Record<string, string>} stamps */
function tarballsAreFresh(stamps) {
  const isPacked = existsSync(join(ROOT, PACKED, 'index.json'));
  return isPacked && stamps[PACKED] === fingerprint(PACKED_FROM);
}

/**
 * Returns a hash that changes with the name, size or modification time of any source.
 * @param {string[]} sources
 */
function fingerprint(sources) {
  const hash = createHash('sha256');
  for (const path of ['package-lock.json', 'tsconfig.base.json', ...sources]) {
    addToHash(hash, join(ROOT, path));
  }
  return hash.digest('hex');
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} path
 */
function addToHash(hash, path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) {
    hash.update(`${relative(ROOT, path)} ${stat.size} ${stat.mtimeMs}\n`);
    return;
  }
  for (const name of readdirSync(path).sort()) {
    if (!NOT_SOURCE.test(name)) addToHash(hash, join(path, name));
  }
}

/** @param {Record<string, string>} stamps */
function writeStamps(stamps) {
  mkdirSync(dirname(STAMPS), { recursive: true });
  writeFileSync(STAMPS, JSON.stringify(stamps));
}

/** @returns {Record<string, string>} */
function readStamps() {
  return existsSync(STAMPS) ? JSON.parse(readFileSync(STAMPS, 'utf8')) : {};
}

/** Prints each size in kB (1,000 bytes) after gzip -9. */
function printSizes() {
  for (const { what, path } of SIZES) {
    const size = gzippedSize(join(ROOT, path)) / 1000;
    process.stderr.write(`  ${what}: ${size.toFixed(2)} kB gz\n`);
  }
  process.stderr.write(`  script tag's integrity: ${integrityOfScriptTag()}\n`);
}

/** Returns the `integrity` attribute for partners' script tags. `release.json` has it for each file. */
function integrityOfScriptTag() {
  const release = readFileSync(join(ROOT, 'packages/core/dist/release.json'), 'utf8');
  return JSON.parse(release).integrity['svc.iife.js'];
}

/**
 * Returns the gzipped size of the JavaScript below `path`, each file compressed separately.
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
  printSizes();
}
