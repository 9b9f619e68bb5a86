import { createHash } from 'node:crypto';
import {
  cpSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { buildIfStale, packSandboxIfStale } from '../build.mjs';
import { ensure } from '../ensure.mjs';
import { startProgress } from '../steps/progress.mjs';
import { ROOT, runCommand } from '../steps/run-command.mjs';
import { runNpm } from '../steps/run-npm.mjs';

// `npm run package`: writes dist/svc-<version>.tar.gz, which needs Node and nothing else. Production
// neither installs nor builds. The same commit gives the same bytes on machines with the same
// versions of npm, tar and zlib, except for the database in the sandbox's tarball, which has a random
// identifier and is made once for each machine.

const manifest = readJson('package.json');
const { version } = readJson('apps/server/package.json');
const NAME = `svc-${version}`;
const OUT = join(ROOT, 'dist');
mkdirSync(join(ROOT, '.cache'), { recursive: true });
// Each run has a separate folder, because a release and a test may package at the same time.
const STAGE = join(mkdtempSync(join(ROOT, '.cache/package-')), NAME);

/** Workspaces whose JavaScript the service runs. */
const CODE = [
  'packages/contract',
  'packages/db',
  'packages/mcp',
  'packages/runtime',
  'packages/webhooks',
  'apps/server',
];
/** Folders and files that the service reads or sends. */
const FILES = [
  'packages/webhooks/migrations',
  'apps/server/migrations',
  'apps/server/fonts',
  'packages/core/dist',
  'packages/ui/src/tokens.css',
  'packages/ui/src/components',
  'apps/experience/dist',
  'apps/console/dist',
  'apps/operator/dist',
  'deploy',
  // The packages that partners install from /sdk.
  'dist/sdk',
  'apps/docs/dist',
  'packages/contract/vectors',
  // The pages that messages, units and alerts name.
  'docs',
  'README.md',
  'LICENSE',
];
/** Files that need @svc/demo-portal, which is not in the archive. */
const DEMO = /^apps\/server\/dist\/(start|demo|sandbox|sandbox-options|seed-partner)\.js$/;
const DEVELOPMENT = /\.test\.js$|\/testing\/|\/testing\.js$|\.d\.ts$|\.map$|\.tsbuildinfo$/;

await ensure();
await buildIfStale();
const progress = startProgress(`Packaging ${NAME}`);
try {
  const commit = await readCommit();
  await packSandboxIfStale();
  mkdirSync(STAGE);
  await installDependencies();
  for (const path of FILES) copy(path);
  for (const folder of CODE) copyCode(folder);
  cpSync(join(ROOT, 'deploy/bin'), join(STAGE, 'bin'), { recursive: true });
  writeFileSync(join(STAGE, 'VERSION'), `${version} ${commit.id}\n`);
  const archive = await pack(commit.seconds);
  progress.done(relative(ROOT, archive));
} catch (error) {
  progress.failed();
  process.stderr.write(`${/** @type {Error} */ (error).message}\n`);
  process.exitCode = 1;
} finally {
  rmSync(dirname(STAGE), { recursive: true });
}

/** Returns the commit's id, marked if files differ from it, and its time, which all files in the archive get. */
async function readCommit() {
  const git = (/** @type {string[]} */ ...args) => runCommand('git', args, { quiet: true });
  const { code, output } = await git('log', '-1', '--format=%H %ct');
  if (code !== 0)
    throw new Error(`The commit cannot be read, which VERSION names: ${output.trim()}`);
  const [id = '', seconds = ''] = output.trim().split(' ');
  const changed = (await git('status', '--porcelain')).output.trim() !== '';
  return { id: changed ? `${id}-changed` : id, seconds: Number(seconds) };
}

/** Installs what the server needs at run time from the lock file, and describes it as CycloneDX. */
async function installDependencies() {
  for (const folder of CODE) {
    const { devDependencies: _, ...rest } = readJson(`${folder}/package.json`);
    writeJson(`${folder}/package.json`, rest);
  }
  const { name, license, type, engines, overrides } = manifest;
  const root = { name, version, private: true, license, type, engines };
  writeJson('package.json', { ...root, workspaces: CODE, overrides });
  for (const file of ['package-lock.json', '.npmrc']) copy(file);
  await runNpm(['ci', '--ignore-scripts', '--prefer-offline', '--no-progress'], { cwd: STAGE });
  const native = walk(join(STAGE, 'node_modules')).filter((file) => file.endsWith('.node'));
  if (native.length > 0) {
    throw new Error(`The archive would run on this platform only, because of ${native[0]}.`);
  }
  const printed = await runNpm(['sbom', '--sbom-format=cyclonedx'], { cwd: STAGE });
  const sbom = JSON.parse(printed.slice(Math.max(0, printed.indexOf('{'))));
  // These are random or the current time. Everything else is derived from the lock file.
  delete sbom.serialNumber;
  delete sbom.metadata.timestamp;
  writeJson('sbom.cdx.json', sbom);
  // npm's own records, which name this run.
  for (const path of ['package-lock.json', '.npmrc', 'node_modules/.package-lock.json']) {
    rmSync(join(STAGE, path));
  }
  rmSync(join(STAGE, 'node_modules/.bin'), { recursive: true });
  writeJson('package.json', root);
}

/** @param {string} path */
function copy(path) {
  mkdirSync(dirname(join(STAGE, path)), { recursive: true });
  cpSync(join(ROOT, path), join(STAGE, path), {
    recursive: true,
    filter: (file) => !/\.test\.|\.d\.ts$|\.tsbuildinfo$/.test(file),
  });
}

/** Copies a workspace's compiled files that have a source, because tsc does not delete those of deleted sources. */
function copyCode(/** @type {string} */ folder) {
  for (const file of walk(join(ROOT, folder, 'dist'))) {
    const path = relative(ROOT, file);
    const source = join(ROOT, path.replace('/dist/', '/src/'));
    const hasSource = existsSync(source) || existsSync(source.replace(/\.js$/, '.ts'));
    if (hasSource && !DEVELOPMENT.test(path) && !DEMO.test(path)) copy(path);
  }
}

/**
 * @param {string} folder
 * @returns {string[]} the files below it
 */
function walk(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((path) => statSync(path).isFile());
}

/** @param {string} path */
function readJson(path) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'));
}

/**
 * @param {string} path
 * @param {object} value
 */
function writeJson(path, value) {
  mkdirSync(dirname(join(STAGE, path)), { recursive: true });
  writeFileSync(join(STAGE, path), `${JSON.stringify(value, null, 2)}\n`);
}

/**
 * Packs the archive with sorted names, one timestamp, no owner and fixed modes, so that its bytes depend on the
 * content alone. Returns its path.
 * @param {number} seconds
 */
async function pack(seconds) {
  mkdirSync(OUT, { recursive: true });
  const tar = `${STAGE}.tar`;
  const archive = join(OUT, `${NAME}.tar.gz`);
  const { code, output } = await runCommand(
    'tar',
    [
      '--create',
      `--file=${tar}`,
      '--format=gnu',
      '--sort=name',
      `--mtime=@${seconds}`,
      '--owner=0',
      '--group=0',
      '--numeric-owner',
      '--mode=a+rX,u+w,go-w',
      NAME,
    ],
    { cwd: dirname(STAGE), quiet: true },
  );
  if (code !== 0) throw new Error(`tar failed, GNU tar 1.28 or later is needed:\n${output}`);
  await pipeline(createReadStream(tar), createGzip({ level: 9 }), createWriteStream(`${tar}.gz`));
  renameSync(`${tar}.gz`, archive);
  const hash = createHash('sha256').update(readFileSync(archive)).digest('hex');
  writeFileSync(`${archive}.sha256`, `${hash}  ${NAME}.tar.gz\n`);
  return archive;
}
