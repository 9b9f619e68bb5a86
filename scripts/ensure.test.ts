import { cpSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT, runNode } from './steps/run-command.mjs';

/** Copies what an installation needs into a folder that has no packages. */
function freshClone(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-ensure-'));
  for (const path of ['scripts/ensure.mjs', 'scripts/steps', 'package.json', 'package-lock.json']) {
    cpSync(join(ROOT, path), join(folder, path), { recursive: true });
  }
  return folder;
}

test('an old Node is refused with the version to install', async () => {
  const asNode18 = `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.8' } })`;
  const { code, output } = await runNode(
    ['--import', `data:text/javascript,${asNode18}`, 'scripts/ensure.mjs'],
    { quiet: true },
  );
  expect({ code, output }).toEqual({
    code: 1,
    output: 'Svc needs Node 20.19 or later, but this is 18.20.8. Install a newer version.\n',
  });
});

test('a full disk during the installation is one sentence, however often npm reports it', async () => {
  const folder = freshClone();
  const npm = join(folder, 'npm-cli.js');
  writeFileSync(
    npm,
    `for (let file = 0; file < 1000; file += 1) console.error('npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write');
    process.exitCode = 228;`,
  );
  const { code, output } = await runNode([join(folder, 'scripts/ensure.mjs')], {
    quiet: true,
    cwd: folder,
    env: { ...process.env, npm_execpath: npm },
  });
  expect(code).toBe(1);
  expect(output).toContain(
    `The disk of ${folder}/ is full. Free a gigabyte, then run the command again.\n`,
  );
  expect(output).not.toContain('ENOSPC');
});
