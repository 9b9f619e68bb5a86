import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ROOT } from '../steps/run-command.mjs';

/** The folders whose files name the version in commands, images and addresses. */
const FOLDERS = ['apps', 'clients', 'deploy', 'docs', 'examples', 'packages'];
const TEXT = /\.(md|ts|tsx|mjs|json|ya?ml)$|\/Containerfile$/;
const NOT_OURS = /(^|\/)(node_modules|dist|CHANGELOG\.md|package\.json)(\/|$)/;

/**
 * `/sdk/svc-core-0.3.0.tgz`, the same in `vendor`, `svc-0.3.0.tar.gz`, `svc:0.3.0`, `svc-node/0.3.0`,
 * `VERSION=0.3.0`, `appVersion: 0.3.0`. A sentence about a version, such as "before 0.3.0", keeps its own.
 */
const MENTION =
  /(?<=\/(?:sdk|vendor)\/svc-[a-z-]+-|\bsvc[-:]|\bsvc-node\/|\bVERSION(?:=|: )|^(?:appVersion|version): )\d+\.\d+\.\d+\b/gm;

export function withVersion(text: string, version: string): string {
  return text.replace(MENTION, version);
}

interface Manifest {
  name?: string;
  version?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Returns the manifest, or the entry of the lock file, with our own packages at this version. */
export function manifestWithVersion<M extends Manifest>(manifest: M, version: string): M {
  const withPins = (pins: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(pins).map(([name, pin]) => [name, name.startsWith('@svc/') ? version : pin]),
    );
  const { dependencies, devDependencies } = manifest;
  return {
    ...manifest,
    ...(manifest.version === undefined ? {} : { version }),
    ...(dependencies && { dependencies: withPins(dependencies) }),
    ...(devDependencies && { devDependencies: withPins(devDependencies) }),
  };
}

/** Returns the content that each file that names the version should have, by path. */
export function filesWithVersion(version: string): Map<string, string> {
  const files = new Map<string, string>();
  const put = (path: string, content: string) => files.set(path, content);
  for (const path of manifestPaths()) {
    put(path, json(manifestWithVersion(JSON.parse(read(path)), version)));
  }
  put('package-lock.json', json(lockWithVersion(JSON.parse(read('package-lock.json')), version)));
  for (const folder of FOLDERS) {
    for (const name of readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })) {
      const path = join(folder, name);
      if (TEXT.test(path) && !NOT_OURS.test(path)) put(path, withVersion(read(path), version));
    }
  }
  return files;
}

/** Returns the version of this checkout: the one that is being prepared, or the one that was just released. */
export function currentVersion(root = ROOT): string {
  return JSON.parse(read('package.json', root)).version;
}

/** Returns the paths of the manifests of the root, all workspaces, and the examples and clients that have one. */
export function manifestPaths(root = ROOT): string[] {
  const { workspaces } = JSON.parse(read('package.json', root));
  const folders = [...workspaces, 'examples/*', 'clients/*'].flatMap((pattern: string) => {
    const parent = pattern.replace('/*', '');
    const names = existsSync(join(root, parent)) ? readdirSync(join(root, parent)) : [];
    return names.map((name) => join(parent, name));
  });
  const paths = folders.map((folder) => `${folder}/package.json`).sort();
  return ['package.json', ...paths.filter((path) => existsSync(join(root, path)))];
}

function lockWithVersion(lock: Manifest & { packages: Record<string, Manifest> }, version: string) {
  const packages = Object.entries(lock.packages).map(([path, entry]) => {
    const isOurs = !path.includes('node_modules/');
    return [path, isOurs ? manifestWithVersion(entry, version) : entry];
  });
  return { ...lock, version, packages: Object.fromEntries(packages) };
}

function json(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function read(path: string, root = ROOT): string {
  return readFileSync(join(root, path), 'utf8');
}

// `npm run set-version -- 0.4.0`, once a release is out
if (process.argv[1] === import.meta.filename) {
  const [version = ''] = process.argv.slice(2);
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    console.error('Pass the version to prepare, for example: npm run set-version -- 0.4.0');
    process.exit(1);
  }
  for (const [path, content] of filesWithVersion(version)) {
    if (content === read(path)) continue;
    writeFileSync(join(ROOT, path), content);
    console.log(relative('.', path));
  }
}
