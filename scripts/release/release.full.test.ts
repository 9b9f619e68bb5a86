import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from '../steps/run-command.mjs';
import { findProgram } from './find-program.ts';
import { steps } from './release.ts';
import { currentVersion } from './set-version.ts';

const release = ['--conditions=source', '--import', 'tsx', 'scripts/release/release.ts'];
const run = promisify(execFile);

test('the dry run does every step of a release, and publishes nothing', async () => {
  const version = currentVersion();
  // A registry and a GitHub that do not answer.
  const env = { ...process.env, npm_config_registry: 'http://127.0.0.1:9/', GITHUB_REPOSITORY: '' };
  const { stdout } = await run(process.execPath, [...release, '--dry-run'], { cwd: ROOT, env });
  const began = stdout.split('\n').filter((line) => steps.some(({ name }) => name === line));
  expect(began).toEqual(steps.map(({ name }) => name));
  expect(stdout).toContain(`@svc/core ${version} could be published`);
  expect(stdout).toContain(`gh release create v${version}`);

  const files = readdirSync(join(ROOT, 'dist/release'));
  const chart = findProgram('helm', 'HELM_BIN') ? [`svc-chart-${version}.tgz`] : [];
  const hasGenerator = findProgram('java', 'JAVA_BIN') && process.env.SVC_OPENAPI_GENERATOR;
  const clients = hasGenerator ? [`svc-clients-${version}.tar.gz`] : [];
  expect(files.sort()).toEqual(
    [
      'notes.md',
      ...chart,
      ...clients,
      `svc-${version}.cdx.json`,
      `svc-${version}.tar.gz`,
      `svc-${version}.tar.gz.sha256`,
    ].sort(),
  );
  const read = (name: string) => readFileSync(join(ROOT, 'dist/release', name));
  const hash = createHash('sha256')
    .update(read(`svc-${version}.tar.gz`))
    .digest('hex');
  expect(read(`svc-${version}.tar.gz.sha256`).toString()).toContain(hash);
  expect(JSON.parse(read(`svc-${version}.cdx.json`).toString()).bomFormat).toBe('CycloneDX');
  expect(read('notes.md').toString()).toContain(`/blob/v${version}/docs/operate/upgrade.md`);
  expect(readFileSync(join(ROOT, 'dist/site/docs/index.html'), 'utf8')).toContain('<title>');
}, 900_000);

test('packages are published to the scope that NPM_SCOPE names, or not at all', async () => {
  for (const scope of ['', '@other']) {
    const env = { ...process.env, NPM_SCOPE: scope, npm_config_registry: 'http://127.0.0.1:9/' };
    await expect(
      run(process.execPath, [...release, 'packages'], { cwd: ROOT, env }),
    ).rejects.toMatchObject({
      stderr: expect.stringContaining('is not in the scope that NPM_SCOPE names'),
    });
  }
});

test('an unknown step is refused with the known ones', async () => {
  await expect(run(process.execPath, [...release, 'publish'], { cwd: ROOT })).rejects.toMatchObject(
    {
      code: 1,
      stderr: expect.stringContaining('Pass --dry-run, or one step: plan,'),
    },
  );
});
