import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isTest, type SourceFile, sourceFiles } from './source-files.ts';

const CODE = /\.(ts|tsx|js|mjs|css)$/;
const TEXT = /\.(ts|tsx|js|mjs|css|sql|md|json|html|sh|yml|yaml)$/;
// A hint, not a limit: more files than this in one folder prints a warning.
const MANY_FILES = 25;
// Words for which ARCHITECTURE.md has another word.
const FOREIGN_WORDS = /\b\w*(invoice|merchant|instalment|cancelled)\w*/i;
const VAGUE_NAMES = /(^|[-/])(utils?|helpers?|common|manager|misc)([-./]|$)/;
// Files of packages/react are exempt, because they are named after their component or hook.
const KEBAB = /^[a-z0-9]+([.-][a-z0-9]+)*$/;
const UNFINISHED = /\b(TO[D]O|FIX[M]E|XX[X])\b/;

/** Returns `path: problem` for each untidy file. */
export function findUntidy(root: string): string[] {
  const files = sourceFiles(root, TEXT);
  if (files.length === 0) throw new Error('No file was checked. The search is broken.');
  const code = files.filter(({ path }) => CODE.test(path));
  return [
    ...files.flatMap((file) => [...unfinished(file), ...machinePaths(file, root)]),
    ...code.flatMap((file) => [...badName(file), ...foreignWords(file)]),
    ...files.filter(({ path }) => path.endsWith('.md')).flatMap((file) => deadLinks(file, root)),
    ...lockedAddresses(files),
  ];
}

function unfinished({ path, text }: SourceFile): string[] {
  const found = UNFINISHED.exec(text)?.[0];
  return found === undefined ? [] : [`${path}: finish the ${found}, or open an issue`];
}

function machinePaths({ path, text }: SourceFile, root: string): string[] {
  const places = [root.replace(/\/$/, ''), join(homedir(), '/')].filter(
    (place) => place.length > 2,
  );
  return places
    .filter((place) => text.includes(place))
    .map((place) => `${path}: contains a path of this machine, ${place}`);
}

function badName({ path }: SourceFile): string[] {
  const name = path.split('/').at(-1) ?? '';
  const isReact = path.startsWith('packages/react/');
  const bad = (!KEBAB.test(name) && !isReact) || VAGUE_NAMES.test(path);
  return bad ? [`${path}: name the file in kebab-case after the verb or noun that it exports`] : [];
}

function foreignWords({ path, text }: SourceFile): string[] {
  const found = path.startsWith('scripts/check/') ? undefined : FOREIGN_WORDS.exec(text)?.[0];
  return found === undefined
    ? []
    : [`${path}: "${found}" is not our word. See "Words" in ARCHITECTURE.md`];
}

/** Returns a warning for each folder with many files. The check prints the warnings and still passes. */
export function fullFolders(root: string): string[] {
  const code = sourceFiles(root, TEXT).filter(({ path }) => CODE.test(path));
  const counts = new Map<string, number>();
  for (const { path } of code) {
    if (isTest(path)) continue;
    counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > MANY_FILES)
    .map(([folder, count]) => `${folder}: ${count} files; consider splitting it by meaning`);
}

function deadLinks({ path, text }: SourceFile, root: string): string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)[^)]*\)/g)].map(([, target]) => target ?? '');
  return (
    links
      // The build of the docs checks addresses of the service.
      .filter((target) => !/^([a-z]+:|#|\/\/|\/docs\/|\/v1\/)/.test(target))
      .map((target) => target.replace(/[#?].*$/, ''))
      .filter((target) => !existsSync(join(root, dirname(path), decodeURI(target))))
      .map((target) => `${path}: links to ${target}, which does not exist`)
  );
}

function lockedAddresses(files: readonly SourceFile[]): string[] {
  const lock = files.find(({ path }) => path === 'package-lock.json');
  const found = lock?.text.includes('"resolved": "http') ?? false;
  return found ? ['package-lock.json: contains URLs of a registry. See .npmrc'] : [];
}

if (process.argv[1] === import.meta.filename) {
  const untidy = findUntidy(process.cwd());
  for (const line of untidy) console.log(line);
  for (const line of fullFolders(process.cwd())) console.log(`warning: ${line}`);
  console.log(`${untidy.length} untidy`);
  process.exitCode = untidy.length > 0 ? 1 : 0;
}
