import { expect, test } from 'vitest';
import { type Files, findBrowser } from './find-browser.ts';

/** A machine on which these files exist. */
function withFiles(...paths: string[]): Files {
  return {
    exists: (path) => paths.includes(path),
    list: (folder) =>
      paths
        .filter((path) => path.startsWith(folder))
        .map((path) => path.slice(folder.length + 1).split(/[\\/]/)[0] ?? ''),
  };
}

const linux = {
  platform: 'linux',
  variables: { PATH: '/usr/bin:bin' },
  home: '/home/ada',
} as const;
const chrome = '/usr/bin/google-chrome';
const mac = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';
const cache = '/home/ada/.cache/ms-playwright';

test.each([
  ['Chrome on the PATH', linux, [chrome], chrome],
  ['Chrome before Chromium', linux, ['/usr/bin/chromium', chrome], chrome],
  ['nothing in a relative folder of the PATH', linux, ['bin/google-chrome'], null],
  ['nothing', linux, [], null],
  ['Chrome on a Mac', { ...linux, platform: 'darwin' }, [mac], mac],
  [
    'Edge on Windows',
    { platform: 'win32', variables: { 'PROGRAMFILES(X86)': 'C:\\Programs' }, home: null },
    ['C:\\Programs\\Microsoft\\Edge\\Application\\msedge.exe'],
    'C:\\Programs\\Microsoft\\Edge\\Application\\msedge.exe',
  ],
  [
    'the newest Chromium of Playwright',
    linux,
    [`${cache}/chromium-999/chrome-linux/chrome`, `${cache}/chromium-1200/chrome-linux/chrome`],
    `${cache}/chromium-1200/chrome-linux/chrome`,
  ],
  [
    'the one of CHROME_PATH',
    { ...linux, variables: { ...linux.variables, CHROME_PATH: '/opt/chrome' } },
    [chrome, '/opt/chrome'],
    '/opt/chrome',
  ],
] as const)('finds %s', (_, machine, files, found) => {
  expect(findBrowser(machine, undefined, withFiles(...files))).toBe(found);
});

test('takes the one that was asked for, and refuses one that is not there', () => {
  expect(findBrowser(linux, '/opt/edge', withFiles(chrome, '/opt/edge'))).toBe('/opt/edge');
  expect(() => findBrowser(linux, '/opt/edge', withFiles(chrome))).toThrow(
    'There is no browser at /opt/edge.',
  );
});
