import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DatabaseTooNew, isFolderLocked } from '@svc/db';
import { systemClock } from '@svc/runtime';
import { startDemoPortal } from './demo.ts';
import { startService } from './main.ts';
import { version } from './migrations.ts';
import { exitWithError, runUntilSignal } from './operator/run-until-signal.ts';
import {
  readSandboxOptions,
  type SandboxOptions,
  sandboxConfig,
  sandboxUsage,
  withOptionNames,
} from './sandbox-options.ts';
import { runAsSystem, seedPartner } from './seed-partner.ts';
import { ConfigError } from './service-settings.ts';

// `svc-sandbox`: the whole sandbox from the files of one package, which `npm run package:sandbox`
// builds from this program. The files have the same places as in the repository.

const root = fileURLToPath(new URL('../../../', import.meta.url));
const snapshot = join(root, 'database.snapshot');
const demoFiles = {
  pages: join(root, 'apps/demo-portal/dist/web'),
  sdk: join(root, 'packages/core/dist/svc.js'),
};
/** The partner of the person who runs it: no endpoints, and any page may show its widget. */
const partner = { pms: 'my-portal', name: 'My portal' };

/** The start of the names of temporary folders. */
const folderPrefix = 'svc-sandbox-';
// The age from which a folder without a lock counts as abandoned. A start locks its folder within seconds.
const unlockedForMs = 60_000;

await runUntilSignal(async () => {
  const options = readSandboxOptions(process.argv.slice(2));
  if (options === 'help') return printAndExit(sandboxUsage);
  if (options === 'version') return printAndExit(`${version}\n`);
  if (options.stopsWithStdin) stopWithStdin();
  const dataDir = options.dataDir ?? (await createTemporaryFolder());
  return startSandbox(options, dataDir).catch((error: unknown) => {
    throw explainError(error);
  });
});

function printAndExit(text: string): never {
  process.stdout.write(text);
  process.exit(0);
}

function stopWithStdin(): void {
  const stop = () => process.emit('SIGTERM', 'SIGTERM');
  process.stdin.once('end', stop).once('error', stop).resume();
}

/** Creates a folder that is removed when this process ends, and removes those of killed processes. */
async function createTemporaryFolder(): Promise<string> {
  for (const name of readdirSync(tmpdir()).filter((it) => it.startsWith(folderPrefix))) {
    const leftover = join(tmpdir(), name);
    const age =
      systemClock.now().getTime() - (statSync(leftover, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (age > unlockedForMs && !(await isFolderLocked(leftover).catch(() => true)))
      remove(leftover);
  }
  const folder = await mkdtemp(join(tmpdir(), folderPrefix));
  process.once('exit', () => remove(folder));
  return folder;
}

/**
 * Removes a folder, or writes why it could not be removed. It may belong to another user, or the database's thread
 * may still write to it.
 */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    process.stderr.write(`${folder} could not be removed (${(error as Error).message}).\n`);
  }
}

async function startSandbox(options: SandboxOptions, dataDir: string) {
  const config = sandboxConfig(options, dataDir);
  const service = await startService(
    { ...config, database: { dataDir: config.dataDir, snapshot } },
    { onLost: exitWithError },
  );
  try {
    if (options.dataDir !== undefined) await keepOutOfGit(config.dataDir);
    const apiKey = await runAsSystem(service, (ctx) => seedPartner(ctx, partner));
    const demo = options.demo ? await startDemoPortal(service, config, demoFiles) : undefined;
    const ready: Ready = {
      url: service.origin,
      api_key: apiKey,
      pms: partner.pms,
      docs_url: service.docsLink({ pms: partner.pms, api_key: apiKey }),
      demo_url: demo?.origin ?? null,
      data_folder: options.dataDir === undefined ? null : config.dataDir,
      version,
      pid: process.pid,
    };
    process.stdout.write(options.json ? `${JSON.stringify(ready)}\n` : welcome(ready));
    return {
      async close() {
        await demo?.close();
        await service.close();
      },
    };
  } catch (error) {
    await service.close();
    throw error;
  }
}

/** The line that `--json` prints. */
interface Ready {
  readonly url: string;
  readonly api_key: string;
  readonly pms: string;
  /** The address of the docs with the key in the samples. It works once. */
  readonly docs_url: string;
  readonly demo_url: string | null;
  readonly data_folder: string | null;
  readonly version: string;
  readonly pid: number;
}

/** Makes git ignore the folder. It holds keys, and its default place is in the project that the developer works on. */
async function keepOutOfGit(dataDir: string): Promise<void> {
  const file = join(dataDir, '.gitignore');
  if (!existsSync(file)) await writeFile(file, '*\n');
}

function welcome(ready: Ready): string {
  const { url, api_key, pms, demo_url, docs_url, data_folder } = ready;
  const data =
    data_folder === null
      ? 'in memory: removed when it stops'
      : `in ${relative(process.cwd(), data_folder) || data_folder}`;
  return `
  Svc ${ready.version} is ready (sandbox).

${demo_url === null ? '' : `  Open     ${demo_url}   a property portal with the widget in it\n`}  API      ${url}/v1
  Docs     ${docs_url}
           shows your key in the samples, and works once; without it ${url}/docs
  Portal   ${pms}
  API key  ${api_key}
  Data     ${data}

  Stop with Ctrl-C.

`;
}

function explainError(error: unknown): unknown {
  if (error instanceof ConfigError) {
    return new ConfigError(withOptionNames(error.message), { cause: error });
  }
  if (error instanceof DatabaseTooNew) {
    const { message } = error;
    return new ConfigError(`${message.replace(/\.$/, '')}, or choose another folder with --data.`, {
      cause: error,
    });
  }
  return error;
}
