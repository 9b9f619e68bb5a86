import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const packages = fileURLToPath(new URL('../..', import.meta.url));
const compiler = createRequire(import.meta.url).resolve('typescript/package.json');
let project: string;

/** A fresh project that has nothing but the two packages, as they would be published. */
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'svc-packed-'));
  for (const name of ['core', 'react']) {
    const folder = join(project, 'node_modules/@svc', name);
    mkdirSync(folder, { recursive: true });
    run('npm', ['pack', '--silent', '--pack-destination', project], join(packages, name));
    const tarball = join(project, `svc-${name}-0.1.0.tgz`);
    run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'], project);
  }
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }');
}, 60_000);
afterAll(() => rmSync(project, { recursive: true, force: true }));

function run(command: string, args: string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

test('every entry is imported where there is no browser, and does nothing by that', () => {
  writeFileSync(
    join(project, 'all.mjs'),
    `import { Environment, Svc } from '@svc/core';
     import { createMessage } from '@svc/core/message';
     import { defineSvcWidget } from '@svc/core/element';
     import { es } from '@svc/core/locales/es';
     import * as testing from '@svc/core/testing';
     try { Svc({}); } catch (error) { console.log(error.issues.length > 5); }
     console.log(typeof createMessage, typeof defineSvcWidget, es.language, Environment.Sandbox);
     console.log(testing.Environment.Sandbox === Environment.Sandbox, typeof testing.experiencePage());`,
  );
  expect(run(process.execPath, ['all.mjs'], project).split('\n').slice(0, 3)).toEqual([
    'true',
    'function function es-US sandbox',
    'true string',
  ]);
}, 60_000);

test('the types of every entry stand alone', () => {
  writeFileSync(
    join(project, 'all.ts'),
    `import { Environment, Svc, type SvcEventMap } from '@svc/core';
     import { createMessage } from '@svc/core/message';
     import { defineSvcWidget, type SvcWidgetElement } from '@svc/core/element';
     import { es } from '@svc/core/locales/es';
     import { fakeExperiences } from '@svc/core/testing';
     const svc = Svc({ balance: 1, pms: 'maple', externalId: 't', signature: '', locale: es,
       environment: Environment.Sandbox, onWidgetClickCallback() {},
       onEvent: (type, data) => { if (type === 'REPAY') data.amount_in_cents.toFixed(); } });
     svc.on('ERROR', ({ code }) => code.toFixed());
     createMessage({ amount: 1, locale: es }).element.remove();
     defineSvcWidget();
     export const step: SvcEventMap['EXPERIENCE_CLOSED']['last_step'] = 'done';
     export const open: boolean | undefined = fakeExperiences[0]?.open;
     export const tag: SvcWidgetElement['settings'] = {};
     // @ts-expect-error no such setting
     svc.update({ color: 'red' });`,
  );
  const options = ['--noEmit', '--strict', '--lib', 'es2022,dom', '--types', ''];
  const modern = ['--module', 'nodenext', '--target', 'es2022', '--ignoreConfig', 'all.ts'];
  const bin = join(compiler, '../bin/tsc');
  expect(run(process.execPath, [bin, ...options, ...modern], project)).toBe('');
}, 60_000);

test('what is packed is what is used, with its README and without sources or tests', () => {
  const folder = join(project, 'node_modules/@svc/core');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  expect(names).toEqual(
    expect.arrayContaining(['README.md', 'package.json', 'dist/svc.js', 'dist/svc.iife.js']),
  );
  expect(names.filter((name) => /test\.|\.tsbuildinfo|^src/.test(name))).toEqual([]);
  expect(names).not.toContain('dist/index.d.ts');
});
