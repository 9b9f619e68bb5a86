import { existsSync, readdirSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { Environment } from '../../environment.ts';
import { usageFailure } from '../../failure.ts';

type Machine = Pick<Environment, 'platform' | 'variables' | 'home'>;

/** The part of the file system that the search needs. Tests pass their own. */
export interface Files {
  exists(path: string): boolean;
  /** The names in a folder; empty if there is no such folder. */
  list(folder: string): string[];
}

const onDisk: Files = {
  exists: existsSync,
  list: (folder) => (existsSync(folder) ? readdirSync(folder) : []),
};

const programs = [
  'google-chrome',
  'google-chrome-stable',
  'chromium',
  'chromium-browser',
  'microsoft-edge',
  'microsoft-edge-stable',
  'brave-browser',
];

/**
 * Returns the path of a browser that speaks Chrome's protocol: `--browser`, then `CHROME_PATH`, then the places
 * where Chrome, Chromium and Edge are installed, and last those that Playwright has downloaded. Null if
 * there is none.
 */
export function findBrowser(
  machine: Machine,
  asked: string | undefined,
  files: Files = onDisk,
): string | null {
  if (asked !== undefined) {
    if (files.exists(asked)) return asked;
    throw usageFailure(
      `There is no browser at ${asked}.`,
      'Pass the path of the program, such as --browser /usr/bin/google-chrome.',
    );
  }
  const { CHROME_PATH: named } = machine.variables;
  const places = [
    ...(named ? [named] : []),
    ...usualPlaces(machine),
    ...playwrightPlaces(machine, files),
  ];
  return places.find((place) => files.exists(place)) ?? null;
}

function usualPlaces({ platform, variables, home }: Machine): string[] {
  if (platform === 'darwin') {
    const apps = [
      'Google Chrome.app/Contents/MacOS/Google Chrome',
      'Chromium.app/Contents/MacOS/Chromium',
      'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
      'Brave Browser.app/Contents/MacOS/Brave Browser',
    ];
    const folders = ['/Applications', ...(home === null ? [] : [`${home}/Applications`])];
    return folders.flatMap((folder) => apps.map((app) => `${folder}/${app}`));
  }
  if (platform === 'win32') {
    const apps = [
      'Google\\Chrome\\Application\\chrome.exe',
      'Chromium\\Application\\chrome.exe',
      'Microsoft\\Edge\\Application\\msedge.exe',
      'BraveSoftware\\Brave-Browser\\Application\\brave.exe',
    ];
    const folders = [
      variables.PROGRAMFILES,
      variables['PROGRAMFILES(X86)'],
      variables.LOCALAPPDATA,
    ].filter((folder) => folder !== undefined);
    return folders.flatMap((folder) => apps.map((app) => win32.join(folder, app)));
  }
  const folders = (variables.PATH ?? '').split(':').filter(posix.isAbsolute);
  return folders.flatMap((folder) => programs.map((program) => posix.join(folder, program)));
}

/** Lists Playwright's Chromium, newest first: its folders are named by revision. */
function playwrightPlaces({ platform, variables, home }: Machine, files: Files): string[] {
  const cache = playwrightFolder({ platform, variables, home });
  if (cache === null) return [];
  const programOf: Partial<Record<NodeJS.Platform, string[]>> = {
    darwin: [
      'chrome-mac/Chromium.app/Contents/MacOS/Chromium',
      'chrome-mac-arm64/Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing',
    ],
    win32: ['chrome-win\\chrome.exe', 'chrome-win64\\chrome.exe'],
    linux: ['chrome-linux/chrome', 'chrome-linux64/chrome'],
  };
  const revisionOf = (name: string) => Number(name.slice('chromium-'.length));
  const join = platform === 'win32' ? win32.join : posix.join;
  return files
    .list(cache)
    .filter((name) => /^chromium-\d+$/.test(name))
    .sort((a, b) => revisionOf(b) - revisionOf(a))
    .flatMap((name) => (programOf[platform] ?? []).map((path) => join(cache, name, path)));
}

function playwrightFolder({ platform, variables, home }: Machine): string | null {
  if (variables.PLAYWRIGHT_BROWSERS_PATH) return variables.PLAYWRIGHT_BROWSERS_PATH;
  if (platform === 'win32') {
    return variables.LOCALAPPDATA ? win32.join(variables.LOCALAPPDATA, 'ms-playwright') : null;
  }
  if (home === null) return null;
  return posix.join(home, platform === 'darwin' ? 'Library/Caches' : '.cache', 'ms-playwright');
}
