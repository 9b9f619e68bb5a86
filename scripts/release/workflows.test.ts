import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../steps/run-command.mjs';
import { findProgram } from './find-program.ts';
import { steps } from './release.ts';

const folder = join(ROOT, '.github/workflows');
const names = readdirSync(folder);
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8');

interface Job {
  readonly if?: string;
  readonly needs?: string | readonly string[];
  readonly environment?: unknown;
  readonly permissions?: Record<string, string>;
  readonly steps?: readonly { readonly run?: string; readonly with?: Record<string, string> }[];
}
const jobsOf = (name: string): Record<string, Job> => parse(textOf(name)).jobs;

function commandsOf(name: string): string[] {
  const jobs = Object.values(jobsOf(name)).flatMap((job) => job.steps ?? []);
  const lines = jobs.flatMap((step) => [step.run ?? '', step.with?.['version-script'] ?? '']);
  return lines.flatMap((text) => text.split('\n')).filter((line) => line !== '');
}

const actionlint = findProgram('actionlint', 'ACTIONLINT_BIN');
test.skipIf(actionlint === undefined)(
  'actionlint finds nothing (needs ACTIONLINT_BIN, or actionlint on PATH)',
  async () => {
    const files = names.map((name) => join(folder, name));
    const { stdout } = await promisify(execFile)(actionlint ?? '', ['-no-color', ...files]);
    expect(stdout).toBe('');
  },
);

test('each action is pinned by its commit, with its version beside it', () => {
  for (const name of names) {
    const used = textOf(name).match(/uses: .*/g) ?? [];
    expect(used.length).toBeGreaterThan(3);
    const own = used.filter((line) => !line.includes('./.github/'));
    for (const line of own)
      expect(line).toMatch(/^uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  }
});

test('each npm script exists, and each step of the release is one of the dry run', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const commands = names.flatMap(commandsOf);
  const run = commands.flatMap((line) => /^npm (?:run )?([\w:-]+)/.exec(line)?.[1] ?? []);
  expect(run).toContain('test:full');
  const builtIn = ['audit'];
  expect(run.filter((name) => !(name in scripts) && !builtIn.includes(name))).toEqual([]);
  const released = commands.flatMap((line) => /^npm run release -- (\S+)/.exec(line)?.[1] ?? []);
  // In the pull request, `npm run version-packages` does what the dry run shows as `changelogs`.
  expect(commands).toContain('npm run version-packages');
  expect(new Set([...released, 'changelogs'])).toEqual(new Set(steps.map(({ name }) => name)));
});

test('CI runs what .ci/run does', () => {
  const local = readFileSync(join(ROOT, '.ci/run'), 'utf8').match(/^step (npm .+)$/gm) ?? [];
  expect(local.length).toBe(3);
  expect(commandsOf('ci.yml')).toEqual(
    expect.arrayContaining(local.map((line) => line.replace('step ', ''))),
  );
});

test('a release waits for all tests, and the packages for a scope that is ours', () => {
  const jobs = jobsOf('release.yml');
  expect(jobs.build?.needs).toContain('test');
  for (const name of ['image', 'npm', 'github']) expect(jobs[name]?.needs).toContain('build');
  expect(jobs.npm?.if).toBe("vars.NPM_SCOPE != ''");
  // The tag is what marks a version as released, so nothing may follow it that can fail.
  expect(jobs.github?.needs).toEqual(expect.arrayContaining(['image', 'npm']));
  const tokens = Object.entries(jobs).filter(
    ([, job]) => job.permissions?.['id-token'] === 'write',
  );
  expect(tokens.map(([name]) => name)).toEqual(['image', 'npm', 'site']);
});
