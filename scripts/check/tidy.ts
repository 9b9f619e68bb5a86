import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { isTest, type SourceFile, sourceFiles } from './source-files.ts';

const CODE = /\.(ts|tsx|js|mjs|css)$/;
const TEXT = /\.(ts|tsx|js|mjs|css|sql|md|json|html|sh|yml|yaml)$/;
// A hint, not a limit: more files than this in one folder prints a warning.
const MANY_FILES = 25;
// The lists of words we do not say: STYLE.md, glossary.
const FOREIGN_WORDS = /\b\w*(payout|invoice|merchant|instalment|cancelled)\w*/i;
const VAGUE_NAMES = /(^|[-/])(utils?|helpers?|common|manager|misc)([-./]|$)/;
// Files of one component or hook carry its name.
const KEBAB = /^[a-z0-9]+([.-][a-z0-9]+)*$/;
const UNFINISHED = /\b(TO[D]O|FIX[M]E|XX[X])\b/;

/** `path: what` for whatever would make the repository untidy. */
export function findUntidy(root: string): string[] {
  const files = sourceFiles(root, TEXT);
  if (files.length === 0) throw new Error('no file was looked at: the search is broken');
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
  return found === undefined ? [] : [`${path}: finish what ${found} says, or open an issue`];
}

function machinePaths({ path, text }: SourceFile, root: string): string[] {
  const places = [root.replace(/\/$/, ''), join(homedir(), '/')].filter(
    (place) => place.length > 2,
  );
  return places
    .filter((place) => text.includes(place))
    .map((place) => `${path}: names a folder of this machine, ${place}`);
}

function badName({ path }: SourceFile): string[] {
  const name = path.split('/').at(-1) ?? '';
  const ofReact = path.startsWith('packages/react/');
  const bad = (!KEBAB.test(name) && !ofReact) || VAGUE_NAMES.test(path);
  return bad ? [`${path}: name it in kebab-case by the verb or noun it exports`] : [];
}

function foreignWords({ path, text }: SourceFile): string[] {
  const found = path.startsWith('scripts/check/') ? undefined : FOREIGN_WORDS.exec(text)?.[0];
  return found === undefined ? [] : [`${path}: "${found}" is not our word, see the glossary`];
}

/** Folders so full that they may deserve to be split. The check prints them and still passes. */
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
  return links
    .filter((target) => !/^([a-z]+:|#|\/\/)/.test(target))
    .map((target) => target.replace(/[#?].*$/, ''))
    .filter((target) => !existsSync(join(root, dirname(path), decodeURI(target))))
    .map((target) => `${path}: links to ${target}, which is not there`);
}

function lockedAddresses(files: readonly SourceFile[]): string[] {
  const lock = files.find(({ path }) => path === 'package-lock.json');
  const found = lock?.text.includes('"resolved": "http') ?? false;
  return found ? ['package-lock.json: holds addresses of a registry, see .npmrc'] : [];
}

if (process.argv[1] === import.meta.filename) {
  const untidy = findUntidy(process.cwd());
  for (const line of untidy) console.log(line);
  for (const line of fullFolders(process.cwd())) console.log(`warning: ${line}`);
  console.log(`${untidy.length} untidy`);
  process.exitCode = untidy.length > 0 ? 1 : 0;
}
