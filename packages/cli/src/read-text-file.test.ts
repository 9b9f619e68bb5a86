import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { detectProject } from './init/project.ts';
import { planVariables } from './init/write-files.ts';
import { readJsonOption } from './read-json-option.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-text-'));
afterAll(() => rmSync(folder, { recursive: true }));

const bigEndian = (text: string) => Buffer.from(text, 'utf16le').swap16();
const encodings: [string, (text: string) => Buffer][] = [
  ['UTF-8', (text) => Buffer.from(text)],
  ['UTF-8 with a mark', (text) => Buffer.from(`\ufeff${text}`)],
  ['UTF-16 as PowerShell writes it', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
  ['UTF-16, big-endian', (text) => bigEndian(`\ufeff${text}`)],
  ['UTF-16 without a mark', (text) => Buffer.from(text, 'utf16le')],
  ['UTF-16 without a mark, big-endian', bigEndian],
];

test.each(encodings)('files in %s are read', (_, encode) => {
  writeFileSync(join(folder, 'data.json'), encode('{"note":"grüße 😀"}'));
  expect(readJsonOption('--data', '@data.json', folder, '{}')).toEqual({ note: 'grüße 😀' });
  writeFileSync(join(folder, 'package.json'), encode('{"dependencies":{"express":"5"}}'));
  expect(detectProject(folder, undefined).framework).toBe('express');
  writeFileSync(join(folder, '.env'), encode('SVC_API_KEY=kept\n'));
  expect(planVariables(folder, '.env', { SVC_API_KEY: 'new' }, false).content).toBe(
    'SVC_API_KEY=kept\n',
  );
});

const planned = (env: string, force = false) => {
  writeFileSync(join(folder, '.env'), env);
  return planVariables(folder, '.env', { SVC_API_KEY: 'k', SVC_URL: 'u' }, force);
};

test.each([
  ['SVC_API_KEY=', 'SVC_API_KEY=k\nSVC_URL=u\n'],
  ['SVC_API_KEY=\n', 'SVC_API_KEY=k\nSVC_URL=u\n'],
  ['SVC_API_KEY=""\r\nA=1\r\n', 'SVC_API_KEY=k\r\nA=1\r\nSVC_URL=u\n'],
  [' export SVC_API_KEY = # later\n', 'SVC_API_KEY=k\nSVC_URL=u\n'],
  ['SVC_API_KEY=a\nSVC_API_KEY=\n', 'SVC_API_KEY=a\nSVC_API_KEY=k\nSVC_URL=u\n'],
  ['#SVC_API_KEY=a\n', '#SVC_API_KEY=a\nSVC_API_KEY=k\nSVC_URL=u\n'],
  ['XSVC_API_KEY=a', 'XSVC_API_KEY=a\nSVC_API_KEY=k\nSVC_URL=u\n'],
])('variables of %j are filled in', (env, expected) => {
  expect(planned(env).content).toBe(expected);
});

test('a variable with a value stays, unless forced', () => {
  const env = "SVC_API_KEY='a'\nSVC_URL=b # mine\n";
  expect(planned(env)).toMatchObject({ content: env, change: 'unchanged' });
  expect(planned(env, true).content).toBe('SVC_API_KEY=k\nSVC_URL=u\n');
});

test('a name is text, not an expression', () => {
  writeFileSync(join(folder, '.env'), 'SVCXKEY=a\n');
  const { content } = planVariables(folder, '.env', { 'SVC.KEY': '$&' }, true);
  expect(content).toBe('SVCXKEY=a\nSVC.KEY=$&\n');
});
