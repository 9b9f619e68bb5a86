import { IMPORT_RULES, NOUNS, type PathRule, TEXT_RULES, WORKSPACES } from './import-rules.ts';
import { type Import, importsOf } from './imports-of.ts';
import { isTest, type SourceFile } from './source-files.ts';

/** Returns `path: rule (what)` for each violation of the dependency rules. Throws without any source file. */
export function findViolations(files: readonly SourceFile[]): string[] {
  const checked = files.filter(({ path }) => /^(packages|apps)\//.test(path));
  if (checked.length === 0) throw new Error('No source file was checked. The search is broken.');
  return checked.flatMap((file) => {
    const imports = importsOf(file);
    return [
      ...imports.flatMap((one) => [
        ...acrossWorkspaces(file.path, one),
        ...betweenNouns(file.path, one),
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
  if (types && typeOnly) return [];
  return [`${from} may not import ${types ? 'more than types of ' : ''}${to}`];
}

function workspaceOf(path: string): string | undefined {
  return /^(packages|apps)\/[^/]+/.exec(path)?.[0];
}

function betweenNouns(path: string, { module }: Import): string[] {
  const from = nounOf(path);
  const to = nounOf(module);
  if (from === undefined || to === undefined || from === to || isTest(path)) return [];
  const [above, below] = [rankOf(from), rankOf(to)];
  if (above === -1 || below === -1)
    return [`${above === -1 ? from : to} is not in the table of nouns`];
  return above < below ? [] : [`domain/${from} may not use domain/${to}`];
}

function nounOf(path: string): string | undefined {
  return /^apps\/server\/src\/domain\/([^/]+)\//.exec(path)?.[1];
}

function rankOf(noun: string): number {
  return NOUNS.findIndex((line) => line.includes(noun));
}

function byImportRules(path: string, { module, names }: Import): string[] {
  return IMPORT_RULES.filter((rule) => {
    if (!applies(rule, path) || !rule.module.test(module)) return false;
    return rule.names === undefined || names.some((name) => rule.names?.test(name) || name === '*');
  }).map(({ rule }) => `${rule} (imports ${module})`);
}

function byTextRules({ path, text }: SourceFile): string[] {
  const code = withoutComments(text);
  return TEXT_RULES.filter((rule) => applies(rule, path)).flatMap(({ rule, text: pattern }) => {
    const found = pattern.exec(code)?.[0];
    return found === undefined ? [] : [`${rule} (found ${found})`];
  });
}

function applies(rule: PathRule, path: string): boolean {
  return rule.files.test(path) && !rule.except?.test(path) && !isTest(path);
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}
