import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, test } from 'vitest';
import { useService } from '../harness.ts';
import { playSvix, type SvixVersion } from './play-svix.ts';

const svc = await useService();
const folder = mkdtempSync(join(tmpdir(), 'svc-svix-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

// It asks for Node 22 and is no dependency of ours, because this repository also runs on Node 20.
test('the svix client 2.x manages endpoints, sends, reads and recovers', {
  timeout: 180_000,
}, async () => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  execFileSync('npm', ['install', '--no-audit', '--engine-strict=false', 'svix@2.5.0'], {
    cwd: folder,
    stdio: 'pipe',
  });
  const entry = pathToFileURL(join(folder, 'node_modules/svix/dist/index.mjs')).href;
  const { Svix } = await import(entry);
  const open: SvixVersion['open'] = (key, serverUrl) => new Svix(key, { serverUrl });
  await playSvix(svc, { open, typesField: 'eventTypes' });
});
