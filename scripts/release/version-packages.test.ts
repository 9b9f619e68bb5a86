import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ROOT, runCommand } from '../steps/run-command.mjs';
import { currentVersion, manifestPaths } from './set-version.ts';
import { hasChangesets, versionPackages, withReleaseDate } from './version-packages.ts';

const today = new Date('2026-11-26T12:00:00Z');
const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** The manifests of this checkout with one changeset, after a release of 0.0.9. */
async function repository({ bump = 'minor', last = '0.0.9' } = {}): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'svc-versions-'));
  folders.push(root);
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const path of [...manifestPaths(), 'package-lock.json']) {
    // 0.1.0 follows 0.0.9, whatever is being prepared here.
    write(
      path,
      readFileSync(join(ROOT, path), 'utf8').replaceAll(`"${currentVersion()}"`, '"0.1.0"'),
    );
  }
  write('.changeset/change.md', `---\n'@svc/core': ${bump}\n---\n\nThe widget is green.\n`);
  cpSync(join(ROOT, '.changeset/config.json'), join(root, '.changeset/config.json'));
  write('scripts/release/releases.json', JSON.stringify([{ version: last }]));
  write('docs/changelog.md', '## Next release (0.1.0)\n\nGreen.\n\n## 0.0.9 (May 1, 2026)\n');
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  await runCommand('git', ['init', '--quiet', root]);
  return root;
}

const read = (root: string, path: string) => readFileSync(join(root, path), 'utf8');

test('the changesets become changelogs of the prepared version, and manifests stay as they are', async () => {
  const root = await repository();
  const before = read(root, 'apps/server/package.json');
  expect(hasChangesets(root)).toBe(true);
  await versionPackages(root, today);
  expect(read(root, 'packages/core/CHANGELOG.md')).toMatch(
    /## 0\.1\.0\s[\s\S]*The widget is green\./,
  );
  expect(hasChangesets(root)).toBe(false);
  expect(currentVersion(root)).toBe('0.1.0');
  expect(read(root, 'apps/server/package.json')).toBe(before);
  expect(JSON.parse(read(root, 'packages/react/package.json')).version).toBe('0.1.0');
  expect(read(root, 'docs/changelog.md')).toMatch(/^## 0\.1\.0 \(November 26, 2026\)\n\nGreen\./);
});

test('changesets that ask for another version than the prepared one are refused', async () => {
  const root = await repository({ bump: 'patch', last: '0.0.8' });
  await expect(versionPackages(root, today)).rejects.toThrow(
    'The changesets make @svc/cli 0.0.9, but 0.1.0 is prepared.',
  );
  expect(currentVersion(root)).toBe('0.1.0');
});

test('after a release, the next version has to be prepared first', async () => {
  const root = await repository({ last: '0.1.0' });
  await expect(versionPackages(root, today)).rejects.toThrow('0.1.0 is released.');
});

test('both logs of changes have the heading that the release dates', () => {
  const version = currentVersion();
  for (const path of ['docs/changelog.md', 'docs/events.md']) {
    const text = readFileSync(join(ROOT, path), 'utf8');
    // Dated already while the version pull request is merged and the next version not prepared.
    const dated = hasChangesets() ? withReleaseDate(text, version, today) : text;
    expect(dated).toMatch(
      new RegExp(`^#+ ${version.replaceAll('.', '\\.')} \\(\\w+ \\d+, \\d{4}\\)$`, 'm'),
    );
  }
});
