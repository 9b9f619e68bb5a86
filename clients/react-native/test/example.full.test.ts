import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeEach, expect, test } from 'vitest';

// The types with the real React Native, and the Expo example with the tarballs that a service serves.

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const example = join(root, 'examples/expo');
const packages = join(root, 'dist/sdk');
const folder = await mkdtemp(join(tmpdir(), 'svc-expo-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

beforeEach((context) => {
  if (existsSync(join(example, 'node_modules/expo'))) return;
  context.skip('Expo is not installed: npm ci --ignore-scripts --prefix examples/expo');
});

/** A failing compiler prints what is wrong to stdout. */
async function execute(program: string, args: string[], cwd: string): Promise<string> {
  try {
    const env = { ...process.env, CI: '1', EXPO_NO_TELEMETRY: '1', EXPO_OFFLINE: '1' };
    return (await run(program, args, { cwd, env })).stdout;
  } catch (cause) {
    const { message, stdout } = cause as Error & { stdout: string };
    throw new Error(`${message}\n${stdout}`, { cause });
  }
}

test('the package compiles with React Native’s types, and wrong code does not', async () => {
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  await execute('node', [compiler, '-p', 'clients/react-native'], root);
});

test('the example compiles with the packed types, and Metro bundles it', async () => {
  const app = join(folder, 'app');
  await run('cp', ['-a', example, app]);
  for (const name of ['core', 'react-native']) {
    const target = join(app, 'node_modules/@svc', name);
    await mkdir(target, { recursive: true });
    const file = readdirSync(packages).find((it) => new RegExp(`^svc-${name}-\\d`).test(it)) ?? '';
    await run('tar', ['-xzf', join(packages, file), '-C', target, '--strip-components=1']);
  }
  await execute('node', ['node_modules/typescript/bin/tsc', '--noEmit'], app);
  const flags = ['--platform', 'android', '--no-bytecode', '--output-dir', 'bundle'];
  await execute('node', ['node_modules/expo/bin/cli', 'export', ...flags], app);
  const scripts = join(app, 'bundle/_expo/static/js/android');
  const [bundle = ''] = readdirSync(scripts);
  const code = readFileSync(join(scripts, bundle), 'utf8');
  expect(code).toContain('/sdk/webview');
  // An API key has no way into the app.
  expect(code).not.toMatch(/svc_(?:sandbox|live)_\w/);
}, 600_000);
