import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { oneAtATime } from '../../scripts/steps/one-at-a-time.mjs';
import { runNode } from '../../scripts/steps/run-command.mjs';
import { offline } from './newcomer.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));
// The temporary folder belongs to this test run.
const folder = join(tmpdir(), 'svc-next');
const outcomeFile = join(tmpdir(), 'svc-next.json');
const next = 'node_modules/next/dist/bin/next';

interface Outcome {
  /** Why the example cannot run here. */
  readonly notInstalled?: string;
}

/**
 * Installs the Next.js example with the packages of this checkout, and builds it, once for all test files of a
 * run. It also gets the routes of the portal of test/certify, and a page that leads to the rent page.
 */
export async function buildNextExample(): Promise<Outcome & { readonly folder: string }> {
  await oneAtATime(async () => {
    if (existsSync(outcomeFile)) return;
    const notInstalled = await install();
    if (notInstalled === undefined)
      await run(process.execPath, [next, 'build'], { cwd: folder, env });
    await writeFile(outcomeFile, JSON.stringify({ notInstalled }));
  }, `${folder}.lock`);
  return { folder, ...(JSON.parse(await readFile(outcomeFile, 'utf8')) as Outcome) };
}

/** Serves the build at a port of 127.0.0.1; 0 takes a free one. */
export function startNextCommand(port: number): string[] {
  return [process.execPath, next, 'start', '-p', String(port), '-H', '127.0.0.1'];
}

/** The build gets none of the settings: they are read while the example runs. */
const env = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  TMPDIR: process.env.TMPDIR,
  NODE_ENV: 'production',
  NEXT_TELEMETRY_DISABLED: '1',
} as const;

async function install(): Promise<string | undefined> {
  await cp(join(root, 'examples/next'), folder, {
    recursive: true,
    filter: (path) => !/node_modules|\.next|\.tgz$|\.env\.local$/.test(path),
  });
  await cp(join(root, 'test/certify/portals/next'), folder, { recursive: true });
  await addStartPage();
  // Packs the tarballs, if they are out of date.
  const { code, output } = await runNode(['scripts/build.mjs'], { quiet: true });
  if (code !== 0) throw new Error(output);
  const packed = join(root, 'dist/sdk');
  const tarballs = (await readdir(packed)).filter((it) =>
    /^svc-(core|react|node)-\d.*\.tgz$/.test(it),
  );
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock'];
  try {
    await run('npm', ['install', ...options, ...tarballs.map((it) => join(packed, it))], {
      cwd: folder,
      timeout: 300_000,
    });
    return undefined;
  } catch (error) {
    const { stderr } = error as { stderr: string };
    // Only a missing network excuses it. Anything else is a fault of the example.
    if (!offline.test(stderr)) throw error;
    return 'npm cannot reach the registry.';
  }
}

/** A page that leads to the rent page by a link of Next.js's own router. */
async function addStartPage(): Promise<void> {
  await mkdir(join(folder, 'app/start'));
  await writeFile(
    join(folder, 'app/start/page.tsx'),
    `import Link from 'next/link';
import { connection } from 'next/server';
export default async function Start() {
  await connection();
  return <Link href="/">Pay rent</Link>;
}
`,
  );
}
