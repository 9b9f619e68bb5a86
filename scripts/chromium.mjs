import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, isAbsolute, join } from 'node:path';
import { startProgress } from './steps/progress.mjs';
import { ROOT, runNode } from './steps/run-command.mjs';

/** @typedef {{ executablePath?: string, channel?: string, args: string[], env?: Record<string, string> }} LaunchOptions */

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
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
 * Returns options for `chromium.launch()` of playwright-core: the browser in the `CHROMIUM` variable, the one of
 * @sparticuz/chromium, which npm installs for Linux on x64, or a Chromium or Chrome on the PATH. If there is
 * none, playwright-core looks for Chrome, and says how to install it.
 *
 * The packaged browser is a headless shell. A Chromium of a distribution opens a whole window for each
 * context, with renderers for its toolbar: the browser tests took 2.6 times as much CPU time.
 * @returns {Promise<LaunchOptions>}
 */
export async function chromiumLaunchOptions() {
  if (process.env.CHROMIUM !== undefined) {
    return { executablePath: process.env.CHROMIUM, args: ARGS };
  }
  packaged ??= packagedChromium();
  return (await packaged) ?? installedChromium();
}

/** @type {Promise<LaunchOptions | undefined> | undefined} */
let packaged;

/** @returns {LaunchOptions} */
function installedChromium() {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const places = folders.flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const executablePath = places.find((path) => isAbsolute(path) && existsSync(path));
  return executablePath === undefined
    ? { channel: 'chrome', args: ARGS }
    : { executablePath, args: ARGS };
}

/** @returns {Promise<LaunchOptions | undefined>} undefined if it does not run on this machine */
async function packagedChromium() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return undefined;
  const folder = await unpack();
  const executablePath = join(folder, 'chromium');
  if (starts(executablePath, process.env)) return { executablePath, args: ARGS };
  // Tries again with the package's libraries and fonts, for a machine without NSS, NSPR or expat.
  const env = /** @type {Record<string, string>} */ ({
    ...process.env,
    LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
    FONTCONFIG_PATH: join(folder, 'fonts'),
  });
  return starts(executablePath, env) ? { executablePath, args: ARGS, env } : undefined;
}

/**
 * Unpacks @sparticuz/chromium once, into a temporary folder that is renamed when it is complete, so that
 * no other process uses an incomplete one. The package has no such protection.
 */
async function unpack() {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const { version } = JSON.parse(readFileSync(join(dirname(entry), '../../package.json'), 'utf8'));
  const folder = join(ROOT, '.cache', `chromium-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(dirname(folder), { recursive: true });
  const temporary = mkdtempSync(`${folder}.`);
  const progress = startProgress('Unpacking Chromium');
  // In a separate process, because the package reads these variables while it is loaded.
  const env = { ...process.env, TMPDIR: temporary, AWS_LAMBDA_JS_RUNTIME: 'nodejs20.x' };
  const code = `import('@sparticuz/chromium').then((it) => it.default.executablePath())`;
  const result = await runNode(['--input-type=module', '--eval', code], { env, quiet: true });
  if (result.code !== 0) {
    progress.failed();
    throw new Error(`Chromium could not be unpacked: ${result.output}`);
  }
  writeFileSync(join(temporary, 'fonts/fonts.conf'), fontSettings(folder));
  try {
    renameSync(temporary, folder);
  } catch (error) {
    // Another process was faster, so its folder is used.
    rmSync(temporary, { recursive: true });
    if (!existsSync(folder)) throw error;
  }
  progress.done();
  return folder;
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
