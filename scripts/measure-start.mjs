import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { chromiumLaunchOptions } from './chromium.mjs';
import { ROOT } from './steps/run-command.mjs';

// `npm run bench:first-start [-- --rounds 3]`: clones the last commit into a temporary folder, runs
// `npm start`, and prints the seconds until the demo portal answers, until a click on its widget has
// opened the experience, and until the portal answers after a second start. Next to them stand the time of
// `npm ci` in the same clone, which depends on the registry and npm's cache, and the memory of the
// service one second after its start.
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '3' } } });
const POLL_MS = 50;
const browser = await chromium.launch(await chromiumLaunchOptions());

const rows = [];
for (let round = 1; round <= Number(values.rounds); round += 1) rows.push(await measure());
console.table(rows);
await browser.close();

async function measure() {
  const parent = mkdtempSync(join(tmpdir(), 'svc-first-start-'));
  const folder = join(parent, 'svc');
  try {
    spawnSync('git', ['clone', '--quiet', ROOT, folder]);
    const first = await start(folder);
    const opened = first.seconds() + (await openExperience(first.origin));
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const memory = memoryOf(first.pid);
    // The docs and packages are built in the background. The second start finds everything built.
    await first.untilPrinted('tarballs');
    await first.stop();
    const again = await start(folder);
    await again.stop();
    return {
      'first page, s': round(first.firstPage),
      'experience open, s': round(opened),
      'start again, s': round(again.firstPage),
      'installing, s': first.secondsOf('Installing packages'),
      'building, s': first.secondsOf('Building'),
      'memory, MB': memory,
      'npm ci, s': round(timeOf('npm', ['ci', '--no-progress'], folder)),
    };
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

/** @param {string} folder */
async function start(folder) {
  const [port, demoPort] = [await freePort(), await freePort()];
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1000;
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: { ...process.env, PORT: String(port), DEMO_PORT: String(demoPort) },
    stdio: ['ignore', 'pipe', 'pipe'],
    // The child gets a separate process group, so that a signal reaches npm's child as Ctrl-C does.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const closed = once(child, 'close');
  const group = child.pid ?? 0;
  /** @param {() => boolean | Promise<boolean>} isTrue */
  const until = async (isTrue) => {
    while (!(await isTrue())) {
      if (child.exitCode !== null) throw new Error(`npm start ended:\n${output}`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  };
  const origin = `http://127.0.0.1:${demoPort}`;
  await until(async () => (await fetch(origin).catch(() => undefined))?.ok === true);
  const firstPage = seconds();
  return {
    origin,
    firstPage,
    seconds,
    pid: group,
    untilPrinted: (/** @type {string} */ text) => until(() => output.includes(text)),
    /** The seconds that a step of the start printed about itself. */
    secondsOf(/** @type {string} */ step) {
      const line = output.split('\n').find((it) => it.startsWith(step) && it.endsWith(' s)'));
      return Number(/([\d.]+) s\)$/.exec(line ?? '')?.[1]);
    },
    async stop() {
      process.kill(-group, 'SIGINT');
      await closed;
    },
  };
}

/**
 * Opens the portal and clicks its widget, as a tenant would. Resolves once the experience is open.
 * @param {string} origin
 * @returns {Promise<number>} seconds
 */
async function openExperience(origin) {
  const began = performance.now();
  const page = await browser.newPage();
  await page.goto(origin);
  const portal = page.frameLocator('iframe.frame__page');
  await portal.getByRole('button', { name: 'See my options' }).click();
  await portal
    .frameLocator('iframe')
    .getByRole('button', { name: 'Start my application' })
    .waitFor();
  const seconds = (performance.now() - began) / 1000;
  await page.close();
  return seconds;
}

/**
 * Returns the resident memory in MB of the group's largest process, which is the service.
 * @param {number} group
 */
function memoryOf(group) {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-g', String(group)], { encoding: 'utf8' });
  return Math.round(Math.max(...stdout.trim().split('\n').map(Number)) / 1000);
}

/**
 * @param {string} program
 * @param {string[]} args
 * @param {string} cwd
 * @returns {number} seconds
 */
function timeOf(program, args, cwd) {
  const began = performance.now();
  const { status, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return (performance.now() - began) / 1000;
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

/** @param {number} seconds */
function round(seconds) {
  return Number(seconds.toFixed(1));
}
