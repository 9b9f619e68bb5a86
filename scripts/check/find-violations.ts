import { posix } from 'node:path';
import {
  DOMAIN_FOLDERS,
  ENGINE_FOLDERS,
  IMPORT_RULES,
  type PathRule,
  TEXT_RULES,
  WORKSPACES,
} from './import-rules.ts';
import { type Import, importsOf } from './imports-of.ts';
import { isTest, type SourceFile } from './source-files.ts';

/** Returns `path: rule (what)` for each violation of the dependency rules. Throws without any source file. */
export function findViolations(files: readonly SourceFile[]): string[] {
  const checked = files.filter(({ path }) => /^(packages|apps)\//.test(path));
  if (checked.length === 0) throw new Error('No source file was checked. The search is broken.');
  // Files that `svc init` writes become part of a partner's project, so our rules do not apply to them.
  const ours = checked.filter(({ path }) => !path.startsWith('packages/cli/templates/'));
  return ours.flatMap((file) => {
    const imports = importsOf(file);
    return [
      ...imports.flatMap((one) => [
        ...acrossWorkspaces(file.path, one),
        ...betweenDomainFolders(file.path, one),
        ...betweenEngineFolders(file.path, one),
        ...byImportRules(file.path, one),
      ]),
      ...byTextRules(file),
    ].map((violation) => `${file.path}: ${violation}`);
  });
}

function acrossWorkspaces(path: string, { module, typeOnly }: Import): string[] {
  const from = workspaceOf(path);
  const to = workspaceOf(
    module.replace(/^@svc\/(?=core|react|node|db|ui|webhooks|contract)/, 'packages/'),
  );
  if (from === undefined || to === undefined || from === to || isTest(path)) return [];
  const reach = WORKSPACES[from];
  if (reach === undefined) return [`${from} is not in the table of workspaces`];
  if (reach.values.includes(to)) return [];
  const types = reach.types?.includes(to) ?? false;
  if (types && (typeOnly || reach.modules?.includes(module))) return [];
  return [`${from} may not import ${types ? 'more than types of ' : ''}${to}`];
}

function workspaceOf(path: string): string | undefined {
  return /^(packages|apps)\/[^/]+/.exec(path)?.[0];
}

function betweenDomainFolders(path: string, { module }: Import): string[] {
  const from = domainFolderOf(path);
  const to = domainFolderOf(module);
  if (from === undefined || to === undefined || from === to || isTest(path)) return [];
  if (to === ROOT) return [];
  if (from === ROOT) return [`a file in domain/ itself may not use domain/${to}`];
  const [above, below] = [lineOf(from), lineOf(to)];
  if (above === -1 || below === -1) {
    return [`domain/${above === -1 ? from : to} is not in the order of folders`];
  }
  return above < below ? [] : [`domain/${from} may not use domain/${to}`];
}

const ROOT = '.';

/** Returns `plans`, or `plans/due` for a subfolder, which DOMAIN_FOLDERS never lists; undefined outside of domain/. */
function domainFolderOf(path: string): string | undefined {
  const inDomain = /^apps\/server\/src\/domain\/(.+)$/.exec(path)?.[1];
  return inDomain === undefined ? undefined : posix.dirname(inDomain);
}

function lineOf(folder: string): number {
  return DOMAIN_FOLDERS.findIndex((line) => line.includes(folder));
}

/** The top-level files of the engine rank above every folder. Tests and their fixtures are exempt. */
function betweenEngineFolders(path: string, { module }: Import): string[] {
  const from = engineFolderOf(path);
  const to = engineFolderOf(module);
  if (from === undefined || to === undefined || from === to || isTest(path)) return [];
  const [above, below] = [from, to].map((folder) =>
    folder === '' ? -1 : ENGINE_FOLDERS.findIndex((line) => line.includes(folder)),
  ) as [number, number];
  const unknown = [from, to].find(
    (folder) => folder !== '' && !ENGINE_FOLDERS.flat().includes(folder),
  );
  if (unknown !== undefined) return [`${unknown} is missing from the table of engine folders`];
  if (above < below) return [];
  return [`webhooks/${from} may not use ${to === '' ? 'the top level' : `webhooks/${to}`}`];
}

/** Returns the folder of a file in the engine, '' for a file at its top level, and undefined for any other file. */
function engineFolderOf(path: string): string | undefined {
  const found = /^packages\/webhooks\/src\/(?:([^/]+)\/)?/.exec(path);
  return found ? (found[1] ?? '') : undefined;
}

function byImportRules(path: string, { module, names }: Import): string[] {
  return IMPORT_RULES.filter((rule) => {
    if (!ruleApplies(rule, path) || !rule.module.test(module)) return false;
    return rule.names === undefined || names.some((name) => rule.names?.test(name) || name === '*');
  }).map(({ rule }) => `${rule} (imports ${module})`);
}

function byTextRules({ path, text }: SourceFile): string[] {
  const code = withoutComments(text);
  return TEXT_RULES.filter((rule) => ruleApplies(rule, path)).flatMap(({ rule, text: pattern }) => {
    const found = pattern.exec(code)?.[0];
    return found === undefined ? [] : [`${rule} (found ${found})`];
  });
}

function ruleApplies(rule: PathRule, path: string): boolean {
  return rule.files.test(path) && !rule.except?.test(path) && !isTest(path);
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}
