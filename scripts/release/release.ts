import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { ROOT, runCommand, runNode } from '../steps/run-command.mjs';
import { findProgram } from './find-program.ts';
import { PACKED, packedPackages, publishedPackages } from './pack-sdk.mjs';
import { releaseNotes } from './release-notes.ts';
import { currentVersion, manifestPaths } from './set-version.ts';
import { hasChangesets, lastRelease, versionPackages } from './version-packages.ts';

// `npm run release -- <step>` is a step of .github/workflows/release.yml. `npm run release -- --dry-run`
// runs all of them here, without publishing anything.

const version = currentVersion();
/** The files attached to the release. */
const OUT = join(ROOT, 'dist/release');
const address = `https://github.com/${process.env.GITHUB_REPOSITORY ?? 'OWNER/svc'}`;

interface Step {
  readonly name: string;
  run(dryRun: boolean): Promise<void>;
}

export const steps: readonly Step[] = [
  { name: 'plan', run: plan },
  { name: 'changelogs', run: showChangelogs },
  { name: 'notes', run: writeNotes },
  { name: 'archive', run: buildArchive },
  { name: 'clients', run: packClients },
  { name: 'chart', run: packageChart },
  { name: 'site', run: copySite },
  { name: 'packages', run: publishPackages },
  { name: 'github', run: createGitHubRelease },
];

/**
 * Reports what is due for this commit: the version pull request while there are changesets, then the release.
 * Nothing is due once the version has its tag, because the next one has to be prepared first.
 */
async function plan(dryRun: boolean): Promise<void> {
  const waiting = hasChangesets();
  const tagged = !dryRun && (await isTagged());
  say(`${version} follows ${lastRelease()}`);
  if (tagged) say('it is released: prepare the next one with npm run set-version');
  else say(waiting ? 'due: the version pull request' : 'due: the release');
  const output = process.env.GITHUB_OUTPUT;
  if (!output) return;
  const due = { pull_request: waiting && !tagged, release: !waiting && !tagged };
  appendFileSync(
    output,
    `version=${version}\npull_request=${due.pull_request}\nrelease=${due.release}\n`,
  );
}

async function isTagged(): Promise<boolean> {
  return (await run('git', ['ls-remote', '--tags', 'origin', `v${version}`])).trim() !== '';
}

/** Makes the changes of the version pull request in a copy, and prints what each package's changelog will say. */
async function showChangelogs(): Promise<void> {
  if (!hasChangesets()) return say('nothing: the changesets are part of the changelogs already');
  const copy = mkdtempSync(join(tmpdir(), 'svc-release-'));
  try {
    const logs = ['docs/changelog.md', 'docs/events.md'];
    const files = [
      ...manifestPaths(),
      'package-lock.json',
      'scripts/release/releases.json',
      ...logs,
    ];
    for (const path of [...files, '.changeset']) {
      mkdirSync(dirname(join(copy, path)), { recursive: true });
      cpSync(join(ROOT, path), join(copy, path), { recursive: true });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    // changesets looks for the commit of each file, and finds none.
    await run('git', ['init', '--quiet', copy]);
    await versionPackages(copy, new Date());
    for (const folder of publishedPackages()) {
      const log = join(copy, folder, 'CHANGELOG.md');
      if (existsSync(log)) process.stdout.write(`\n${readFileSync(log, 'utf8')}`);
    }
  } finally {
    rmSync(copy, { recursive: true });
  }
}

async function writeNotes(): Promise<void> {
  const changelog = readFileSync(join(ROOT, 'docs/changelog.md'), 'utf8');
  save('notes.md', releaseNotes(changelog, version, address));
}

/** Builds the archive with its hash and the list of its dependencies. */
async function buildArchive(): Promise<void> {
  await runScript('scripts/release/package.mjs');
  for (const name of [`svc-${version}.tar.gz`, `svc-${version}.tar.gz.sha256`]) {
    cpSync(join(ROOT, 'dist', name), join(outputFolder(), name));
  }
  const archive = join(ROOT, 'dist', `svc-${version}.tar.gz`);
  const sbom = `svc-${version}/sbom.cdx.json`;
  save(`svc-${version}.cdx.json`, await run('tar', ['-xzOf', archive, sbom]));
}

/** Packs the clients for other languages, which are installed from the unpacked folder. */
async function packClients(dryRun: boolean): Promise<void> {
  if (findProgram('java', 'JAVA_BIN') === undefined) {
    if (dryRun) return say('skipped: install Java 17 and Maven');
    throw new Error('Java is missing, which generates the clients: install Java 17 and Maven.');
  }
  // A dry run downloads nothing.
  if (dryRun && !process.env.SVC_OPENAPI_GENERATOR) {
    return say('skipped: SVC_OPENAPI_GENERATOR does not name the generator’s jar');
  }
  // Imported only here, because it loads the service's routes.
  const { clientLanguages, generateClients } = await import('../clients/generate-clients.ts');
  await generateClients(clientLanguages);
  const file = join(outputFolder(), `svc-clients-${version}.tar.gz`);
  await run('tar', ['-czf', file, '-C', join(ROOT, 'dist'), 'clients']);
}

async function packageChart(dryRun: boolean): Promise<void> {
  const helm = findProgram('helm', 'HELM_BIN');
  if (helm === undefined) {
    if (dryRun) return say('skipped: set HELM_BIN, or install helm');
    throw new Error('helm is missing: set HELM_BIN, or put it on PATH.');
  }
  await run(helm, ['package', join(ROOT, 'deploy/helm'), '--destination', outputFolder()]);
  // Helm's own name differs from the archive's by one letter.
  renameSync(join(OUT, `svc-${version}.tgz`), join(OUT, `svc-chart-${version}.tgz`));
}

/** Copies the docs for a static host. Their links begin with /docs, so they need the root of a domain. */
async function copySite(): Promise<void> {
  await runScript('scripts/build.mjs');
  rmSync(join(ROOT, 'dist/site'), { recursive: true, force: true });
  cpSync(join(ROOT, 'apps/docs/dist'), join(ROOT, 'dist/site'), { recursive: true });
}

/** Publishes the same tarballs that the archive contains, byte for byte. */
async function publishPackages(dryRun: boolean): Promise<void> {
  const scope = process.env.NPM_SCOPE;
  const { packages } = JSON.parse(readFileSync(join(ROOT, PACKED, 'index.json'), 'utf8'));
  if (!packages.some(({ name }: { name: string }) => name === '@svc/sandbox')) {
    throw new Error('dist/sdk lacks @svc/sandbox: run the step archive first.');
  }
  for (const { name, file } of packages as { name: string; file: string }[]) {
    if (!dryRun && !name.startsWith(`${scope}/`)) {
      throw new Error(`${name} is not in the scope that NPM_SCOPE names: ${scope || 'none'}.`);
    }
    if (!dryRun) expectRepository(name);
    const tarball = join(ROOT, PACKED, file);
    const publishFlags = dryRun ? ['--dry-run', '--offline'] : ['--provenance'];
    await run('npm', ['publish', tarball, '--access', 'public', ...publishFlags]);
    say(`${name} ${version}${dryRun ? ' could be published' : ''}`);
  }
}

/** npm accepts a provenance only for the repository that the manifest names. */
function expectRepository(name: string): void {
  const manifests = packedPackages().map((folder) => join(ROOT, folder, 'package.json'));
  const manifest = manifests.find((it) => JSON.parse(readFileSync(it, 'utf8')).name === name) ?? '';
  const { repository } = JSON.parse(readFileSync(manifest, 'utf8'));
  if (!repository?.url?.includes(address)) {
    throw new Error(
      `${relative(ROOT, manifest)} needs "repository": { "type": "git", "url": "git+${address}.git" } for its provenance.`,
    );
  }
}

async function createGitHubRelease(dryRun: boolean): Promise<void> {
  const notes = join(OUT, 'notes.md');
  const assets = readdirSync(OUT).filter((name) => name !== 'notes.md');
  for (const name of [`svc-${version}.tar.gz`, `svc-${version}.cdx.json`]) {
    if (!assets.includes(name)) throw new Error(`dist/release lacks ${name}.`);
  }
  const sdk = readdirSync(join(ROOT, PACKED)).filter((name) => name.endsWith('.tgz'));
  const files = [
    ...assets.map((name) => join(OUT, name)),
    ...sdk.map((it) => join(ROOT, PACKED, it)),
  ];
  const args = ['release', 'create', `v${version}`, '--title', version, '--notes-file', notes];
  if (process.env.GITHUB_SHA) args.push('--target', process.env.GITHUB_SHA);
  if (dryRun)
    return say(`gh ${[...args, ...files].map((it) => relative(ROOT, it) || it).join(' ')}`);
  await run('gh', [...args, ...files]);
}

function outputFolder(): string {
  mkdirSync(OUT, { recursive: true });
  return OUT;
}

function save(name: string, text: string): void {
  writeFileSync(join(outputFolder(), name), text);
  say(`dist/release/${name}`);
}

async function runScript(script: string): Promise<void> {
  const { code, output } = await runNode([join(ROOT, script)], { quiet: true });
  if (code !== 0) throw new Error(`${script} failed:\n${output}`);
}

/** Runs a program and returns its output. Throws with the output if it fails. */
async function run(program: string, args: string[]): Promise<string> {
  const { code, output } = await runCommand(program, args, { quiet: true });
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${output}`);
  return output;
}

function say(sentence: string): void {
  console.log(`  ${sentence}`);
}

async function main(args: readonly string[]): Promise<void> {
  const [name] = args;
  const dryRun = name === '--dry-run';
  const chosen = dryRun ? steps : steps.filter((step) => step.name === name);
  if (args.length !== 1 || chosen.length === 0) {
    const names = steps.map((step) => step.name).join(', ');
    throw new Error(`Pass --dry-run, or one step: ${names}.`);
  }
  if (dryRun) rmSync(OUT, { recursive: true, force: true });
  for (const step of chosen) {
    console.log(step.name);
    await step.run(dryRun);
  }
}

if (process.argv[1] === import.meta.filename) {
  try {
    await main(process.argv.slice(2));
  } catch (error) {
    console.error((error as Error).message);
    process.exitCode = 1;
  }
}
