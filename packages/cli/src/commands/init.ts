import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { type Action, addCommand, type CommandParts, type Context } from '../command.ts';
import type { Connection } from '../connection.ts';
import { exitCodes, Failure, usageFailure } from '../failure.ts';
import { type Blueprint, blueprintOf } from '../init/blueprint.ts';
import { planAgentGuide } from '../init/plan-agent-guide.ts';
import { planViteConfig } from '../init/plan-vite-config.ts';
import { detectProject, frameworks, type Project } from '../init/project.ts';
import {
  type PlannedFile,
  planFiles,
  planGitignore,
  planVariables,
  writeFiles,
} from '../init/write-files.ts';
import { parseVariant, type Variant } from '../parse-variant.ts';
import { clean } from '../terminal.ts';
import { secretOf } from './listen.ts';

interface Options {
  framework?: string;
  variant?: Variant;
  force?: boolean;
  yes?: boolean;
  dryRun?: boolean;
  install: boolean;
}

export function addInit(program: Command, parts: CommandParts): void {
  addCommand(program, parts, {
    name: 'init',
    summary: 'add a working page, token route and webhook route to a project',
    examples: [
      ['svc init', 'in the folder of a Next.js, Vite or Express project'],
      ['svc init my-app --dry-run', 'only show what it would write'],
      ['svc init --variant hoa', 'for a portal of homeowners’ associations'],
      ['svc init --yes --no-install', 'without a question, and install yourself'],
    ],
    define: (command) =>
      command
        .argument('[folder]', 'default: this one')
        .option('--framework <name>', `${frameworks.join(', ')}; default: what package.json has`)
        .option(
          '--variant <variant>',
          'rent, or hoa for association dues; default: rent',
          parseVariant,
        )
        .option('--dry-run', 'show what it would write, and stop')
        .option('--yes', 'write without asking')
        .option('--force', 'overwrite files and variables that are there already')
        .option('--no-install', 'do not install packages'),
    action: init,
  });
}

const init: Action<Options> = async (context, options, given) => {
  const { environment, terminal } = context;
  const project = detectProject(resolve(environment.folder, given ?? '.'), options.framework);
  const connection = context.connect();
  const identity = await terminal.busy('Checking the key', context.identity(connection));
  if (identity.pms === null) {
    throw new Failure(`${connection.origin} is older than this command.`, {
      next: 'Update the service, or use the CLI of its release.',
    });
  }
  const { variant = 'rent' } = options;
  const blueprint = blueprintOf(project, { environment: identity.environment, variant });
  const variables = {
    SVC_API_KEY: connection.apiKey,
    SVC_PMS: identity.pms,
    SVC_URL: connection.origin,
    SVC_WEBHOOK_SECRET: secretOf(context).secret,
  };
  const force = options.force ?? false;
  const vite =
    project.framework === 'vite'
      ? planViteConfig(project.folder, 'rent.html', project.typescript)
      : { file: null, note: null };
  const files = [
    ...planFiles(project.folder, blueprint.files),
    vite.file,
    planVariables(project.folder, blueprint.envFile, variables, force),
    planGitignore(project.folder, blueprint.envFile),
    planAgentGuide(project.folder, blueprint, {
      origin: connection.origin,
      environment: identity.environment,
    }),
  ].filter((file) => file !== null);
  const command = await installCommand(connection, project, blueprint);
  const install = options.install ? command : null;

  showPlan(context, project, files, install);
  const json = () =>
    terminal.printJson({
      framework: project.framework,
      typescript: project.typescript,
      files: files.map(({ path, change }) => ({ path, change })),
      install: install?.join(' ') ?? null,
      written: !options.dryRun,
      page: blueprint.page,
      webhooks: blueprint.webhooks,
    });
  if (options.dryRun) {
    json();
    return exitCodes.ok;
  }
  const taken = files.filter(({ change }) => change === 'overwrite');
  if (taken.length > 0 && !force) {
    throw new Failure(`There already is ${taken.map(({ path }) => path).join(', ')}.`, {
      next: 'Nothing was written. Pass --force to overwrite.',
    });
  }
  if (!options.yes && !(await askToConfirm(context))) {
    terminal.print('Nothing was written.');
    return exitCodes.ok;
  }
  writeFiles(project.folder, files);
  if (install) await runInstall(context, project.folder, install);
  json();
  const notes = [...blueprint.notes, ...(vite.note === null ? [] : [vite.note])];
  showNext(context, connection, { ...blueprint, notes }, install === null ? command : null);
  return exitCodes.ok;
};

function showPlan(
  { terminal }: Context,
  project: Project,
  files: readonly PlannedFile[],
  install: readonly string[] | null,
): void {
  const names = { next: 'Next.js (App Router)', vite: 'Vite', express: 'Express' };
  const language = project.typescript ? 'TypeScript' : 'JavaScript';
  terminal.print(`${names[project.framework]}, ${language}, ${project.packageManager}`);
  for (const { path, change } of files) terminal.print(`  ${change.padEnd(9)}  ${path}`);
  if (install) terminal.print(`  run        ${clean(install.join(' '))}`);
}

async function askToConfirm({ environment, terminal }: Context): Promise<boolean> {
  if (!environment.input.isTTY) {
    throw usageFailure('Nothing was written: there is no terminal to ask on.', 'Pass --yes.');
  }
  return /^(y|yes)?$/i.test(await terminal.ask('Continue? [Y/n]'));
}

const installVerbs = { npm: 'install', pnpm: 'add', yarn: 'add', bun: 'add' } as const;

/** Installs the packages of the service's release from the service. */
async function installCommand(
  connection: Connection,
  project: Project,
  { packages, others }: Blueprint,
): Promise<string[]> {
  const { origin } = connection;
  const served = await servedPackages(connection);
  const urls = packages.map((name) => {
    const found = served[name];
    if (found) return `${origin}${found.path}`;
    throw new Failure(`${origin} does not serve the package ${name}.`, {
      next: 'Run "npm run build" in the service’s checkout. A registry does not have our packages.',
    });
  });
  const { packageManager } = project;
  return [packageManager, installVerbs[packageManager], ...urls, ...others];
}

async function servedPackages({
  origin,
  fetch,
}: Connection): Promise<Record<string, { path: string }>> {
  try {
    const response = await fetch(`${origin}/sdk/release.json`, {
      signal: AbortSignal.timeout(10_000),
    });
    const { packages } = (await response.json()) as { packages?: Record<string, { path: string }> };
    return packages ?? {};
  } catch {
    return {};
  }
}

async function runInstall(
  { terminal, environment }: Context,
  folder: string,
  [command = '', ...args]: readonly string[],
): Promise<void> {
  const windows = environment.platform === 'win32';
  let printed = '';
  const code = await terminal.busy(
    'Installing',
    new Promise<number | null>((done) => {
      // On Windows, package managers are .cmd files, which only a shell starts.
      const child = spawn(command, args, { cwd: folder, shell: windows });
      const keep = (chunk: Buffer) => {
        printed = (printed + chunk.toString()).slice(-4_000);
      };
      child.stdout.on('data', keep);
      child.stderr.on('data', keep);
      child.once('error', (error) => {
        printed += error.message;
        done(null);
      });
      child.once('close', done);
    }),
  );
  if (code === 0) return;
  terminal.note(printed.trimEnd());
  throw new Failure(`${command} could not install the packages. The files are written.`, {
    next: `Correct what it says, and run: ${[command, ...args].join(' ')}`,
  });
}

/** `install` is the command that the reader still has to run. */
function showNext(
  { terminal }: Context,
  { origin }: Connection,
  { start, page, webhooks, notes }: Blueprint,
  install: readonly string[] | null,
): void {
  terminal.print();
  terminal.print(`${terminal.paint('green', '✓ Written.')} Next:`);
  if (install) terminal.print(`  ${clean(install.join(' '))}`);
  terminal.print(`  ${start}`);
  terminal.print(`  open ${page}`);
  terminal.print(`  svc listen --forward-to ${webhooks}`);
  terminal.print(`  svc trigger settlement.created`);
  for (const note of notes) terminal.print(note);
  terminal.print(`What your app still has to do: ${origin}/docs/existing-app`);
}
