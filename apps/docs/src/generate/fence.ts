/** The line that opens a code block: its language, then its attributes. */
export interface Fence {
  readonly language: string;
  /** A caption, usually the file that the reader writes. */
  readonly title?: string;
  /** The file whose text (or whose region after `#`) is shown, from the root of the repository. */
  readonly file?: string;
  /** True if a test runs the block against a real service, in the page's order. */
  readonly run: boolean;
  /** True if the block is the output of the block before it. */
  readonly output: boolean;
  /** The reason why no test compiles or runs the block. */
  readonly skip?: string;
}

const knownAttributes = new Set(['title', 'file', 'run', 'output', 'skip']);
/** Blocks in these languages are compiled or parsed by a test without any attribute. */
const alwaysChecked = new Set(['ts', 'tsx', 'js', 'jsx', 'html', 'vue', 'svelte', 'json']);
/** Blocks in these languages have no behavior that a test could check. */
const uncheckableLanguages = new Set([
  'text',
  'http',
  'css',
  'ini',
  'sql',
  'yaml',
  'states',
  'sequence',
]);

/** Parses ``ts title="app/page.tsx" file=examples/next/app/page.tsx#page run skip="why"``. */
export function parseFence(info: string): Fence {
  const [language = ''] = info.trim().split(/\s/, 1);
  const rest = info.trim().slice(language.length);
  const attributes: Record<string, string> = {};
  for (const [, name = '', quoted, bare] of rest.matchAll(/([a-z]+)(?:=(?:"([^"]*)"|(\S+)))?/g)) {
    if (language === 'states') break;
    if (!knownAttributes.has(name))
      throw new Error(`"${name}" is not an attribute of a code block.`);
    attributes[name] = quoted ?? bare ?? '';
  }
  const { title, file, skip } = attributes;
  return {
    language: language === '' ? 'text' : language,
    ...(title === undefined ? {} : { title }),
    ...(file === undefined ? {} : { file }),
    ...(skip === undefined ? {} : { skip }),
    run: 'run' in attributes,
    output: 'output' in attributes,
  };
}

/** Returns why a block is not allowed (no test checks it, or its language is unknown); null if it is allowed. */
export function uncheckedBecause(fence: Fence, knownLanguages: ReadonlySet<string>): string | null {
  const { language, file, run, output, skip } = fence;
  if (!knownLanguages.has(language) && !uncheckableLanguages.has(language))
    return `the language "${language}" is unknown`;
  if (skip === '') return 'skip needs a reason, such as skip="needs root"';
  const checked =
    alwaysChecked.has(language) ||
    uncheckableLanguages.has(language) ||
    file !== undefined ||
    run ||
    output;
  if (checked || skip !== undefined) return null;
  return `no test checks this ${language} block: add run, file=…#region or skip="why"`;
}

/** Returns the text between `#region name` and `#endregion` in any comment style, without its indentation. */
export function regionOf(text: string, name: string | undefined): string {
  if (name === undefined) return withoutRegionLines(text).trim();
  const lines = text.split('\n');
  const start = lines.findIndex((line) => new RegExp(`#region ${name}\\b`).test(line));
  if (start === -1) throw new Error(`There is no "#region ${name}".`);
  // A PHP file opens with a tag, which nothing may precede.
  const tag = lines[start]?.startsWith('<?php') ? ['<?php'] : [];
  const rest = [...tag, ...lines.slice(start + 1)];
  const end = rest.findIndex((line) => /#endregion/.test(line));
  const body = (end === -1 ? rest : rest.slice(0, end)).filter(
    (line) => !/#(end)?region/.test(line),
  );
  const indents = body
    .filter((line) => line.trim() !== '')
    .map((line) => /^\s*/.exec(line)?.[0].length ?? 0);
  const indent = Math.min(...indents);
  return body
    .map((line) => line.slice(indent))
    .join('\n')
    .trim();
}

function withoutRegionLines(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/#(end)?region/.test(line))
    .join('\n');
}
