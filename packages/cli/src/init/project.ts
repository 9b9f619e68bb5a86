import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, usageFailure } from '../failure.ts';
import { readTextFile } from '../read-text-file.ts';

export const frameworks = ['next', 'vite', 'express'] as const;
type Framework = (typeof frameworks)[number];

export interface Project {
  readonly folder: string;
  readonly framework: Framework;
  readonly typescript: boolean;
  readonly react: boolean;
  /** `src/` or empty: where the project keeps its sources. */
  readonly sources: string;
  /** package.json says `"type": "module"`. */
  readonly modules: boolean;
  readonly packageManager: PackageManager;
  readonly dependencies: ReadonlySet<string>;
}

const packageManagers = ['npm', 'pnpm', 'yarn', 'bun'] as const;
type PackageManager = (typeof packageManagers)[number];

const lockFiles: readonly (readonly [string, PackageManager])[] = [
  ['package-lock.json', 'npm'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];

interface Manifest {
  type?: string;
  packageManager?: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

/** Finds out what kind of project is in a folder. */
export function detectProject(folder: string, asked: string | undefined): Project {
  const manifest = readManifest(folder);
  const dependencies = new Set([
    ...Object.keys(manifest.dependencies ?? {}),
    ...Object.keys(manifest.devDependencies ?? {}),
  ]);
  const has = (path: string) => existsSync(join(folder, path));
  const framework = frameworkOf(dependencies, asked);
  const sources = sourcesOf(framework, has);
  return {
    folder,
    framework,
    typescript: has('tsconfig.json') && (framework !== 'express' || dependencies.has('tsx')),
    react: dependencies.has('react'),
    sources,
    modules: manifest.type === 'module',
    packageManager: packageManagerOf(manifest, has),
    dependencies,
  };
}

function readManifest(folder: string): Manifest {
  let text: string;
  try {
    text = readTextFile(join(folder, 'package.json'));
  } catch {
    throw new Failure(`There is no package.json in ${folder}.`, {
      next: 'Run "svc init" in the folder of a Next.js, Vite or Express project.',
    });
  }
  try {
    return JSON.parse(text) as Manifest;
  } catch {
    throw new Failure(`${join(folder, 'package.json')} is not valid JSON.`);
  }
}

function frameworkOf(dependencies: ReadonlySet<string>, asked: string | undefined): Framework {
  const found = frameworks.find((name) => name === asked);
  if (found) return found;
  if (asked !== undefined) {
    throw usageFailure(`"${asked}" is not a framework.`, `Use ${frameworks.join(', ')}.`);
  }
  const detected = frameworks.find((name) => dependencies.has(name));
  if (detected) return detected;
  throw new Failure('This is neither a Next.js nor a Vite nor an Express project.', {
    next: 'Add one of them to package.json, or pass --framework. /docs has other setups.',
  });
}

function sourcesOf(framework: Framework, has: (path: string) => boolean): string {
  if (framework !== 'next') return has('src') ? 'src/' : '';
  if (has('src/app')) return 'src/';
  if (has('app')) return '';
  throw new Failure('This Next.js project has no app folder.', {
    next: 'svc init writes for the App Router: create app/layout and app/page first.',
  });
}

function packageManagerOf(manifest: Manifest, has: (path: string) => boolean): PackageManager {
  const declared = manifest.packageManager?.split('@')[0];
  const known = packageManagers.find((name) => name === declared);
  return known ?? lockFiles.find(([file]) => has(file))?.[1] ?? 'npm';
}
