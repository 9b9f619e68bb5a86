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
  // Chromium's sandbox does not work for root and in most containers. The tests open our own pages only.
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
 * Options for `chromium.launch()` of playwright-core: the browser in the `CHROMIUM` variable, an
 * installed Chromium or Chrome, or the one of @sparticuz/chromium, unpacked once. playwright-core can
 * look up Chrome by channel, but not Chromium on the PATH, and cannot tell whether either is there.
 * Throws an error for the user when there is none.
 * @returns {Promise<{ executablePath: string, args: string[], env?: Record<string, string> }>}
 */
export async function chromiumLaunchOptions() {
  const chosen = process.env.CHROMIUM ?? installed();
  if (chosen !== undefined) return { executablePath: chosen, args: ARGS };
  const folder = await unpack();
  const executablePath = join(folder, 'chromium');
  if (starts(executablePath, process.env)) return { executablePath, args: ARGS };
  const env = environmentWith(folder);
  if (starts(executablePath, env)) return { executablePath, args: ARGS, env };
  throw new Error(
    'The Chromium of @sparticuz/chromium does not start on this machine. Set CHROMIUM to the path of another browser.',
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

/** Unpacks @sparticuz/chromium into a temporary folder and renames it, so that no process sees half of it. */
async function unpack() {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const { version } = JSON.parse(readFileSync(join(dirname(entry), '../../package.json'), 'utf8'));
  const folder = join(ROOT, '.cache', `chromium-${version}`);
  if (existsSync(folder)) return folder;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      '@sparticuz/chromium does not support this machine. Install Chromium, or set CHROMIUM to its path.',
    );
  }
  mkdirSync(dirname(folder), { recursive: true });
  const temporary = mkdtempSync(`${folder}.`);
  const progress = startProgress('Unpacking Chromium');
  // In its own process, because the package reads these two variables while it is loaded.
  const env = { ...process.env, TMPDIR: temporary, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' };
  const code = `import('@sparticuz/chromium').then((it) => it.default.executablePath())`;
  const result = await runNode(['--input-type=module', '--eval', code], { env, quiet: true });
  if (result.code !== 0) {
    progress.failed();
    throw new Error(`Chromium could not be unpacked: ${result.output}`);
  }
  writeFileSync(join(temporary, 'fonts/fonts.conf'), fontSettings(folder));
  moveIntoPlace(temporary, folder);
  progress.done();
  return folder;
}

/**
 * Another process may have been faster; then its folder is used.
 * @param {string} temporary
 * @param {string} folder
 */
function moveIntoPlace(temporary, folder) {
  try {
    renameSync(temporary, folder);
  } catch (error) {
    rmSync(temporary, { recursive: true });
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
 * The environment with the package's own libraries and fonts, for a machine without NSS, NSPR or expat.
 * @param {string} folder
 * @returns {Record<string, string>}
 */
function environmentWith(folder) {
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
