import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { compile as compileSvelte } from 'svelte/compiler';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { compileScript, parse as parseVue } from 'vue/compiler-sfc';
import { ROOT, runNode } from '../steps/run-command.mjs';

// Checks every code block that a partner's developer may copy: TypeScript and JavaScript in strict
// mode, JSON and shell by parsing. Blocks that show a file's region (`file=`) or that
// another test runs (`skip=`) are left out.

const run = promisify(execFile);
const FOLDER = join(ROOT, '.cache/docs-code');

/** Variables that a fragment in a package's README may use without declaring them. */
const READER_CONTEXT = `
  declare const tenant: { id: string; balanceInCents: number; signature: string };
  declare const settings: import('@svc/core').SvcSettings;
  declare const svc: import('@svc/node').SvcClient;
  declare function fetchToken(): Promise<string>;
  declare function getToken(): Promise<string>;
  declare function renderRentPage(): void;
  // The script tag's global, and the addresses of a service's own SDK.
  declare var Svc: typeof import('@svc/core').Svc & typeof import('@svc/core');
  declare module 'http://localhost:4000/sdk/svc.js' {
    export * from '@svc/core';
  }
  declare module 'http://localhost:4000/sdk/staff.js' {
    export * from '@svc/core/staff';
  }
  declare module 'http://localhost:4000/sdk/element.js' {
    export * from '@svc/core/element';
  }
`;

interface CodeBlock {
  /** `docs/README.md:18` */
  readonly at: string;
  readonly language: string;
  readonly code: string;
}

const blocks = markdownFiles().flatMap(codeBlocksOf);
const blocksIn = (...languages: string[]) =>
  blocks.filter(({ language }) => languages.includes(language));

beforeAll(() => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
});
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

test('every code block is in a language that this file checks, or that cannot be checked here', () => {
  const languages = new Set(blocks.map(({ language }) => language));
  const checked = [
    'ts',
    'tsx',
    'js',
    'html',
    'vue',
    'svelte',
    'json',
    'sh',
    'py',
    'states',
    'sequence',
    'http',
    'text',
    // Settings of PostgreSQL, and statements for an operator.
    'ini',
    'sql',
  ];
  expect([...languages].filter((language) => !checked.includes(language))).toEqual([]);
  expect(blocks.length).toBeGreaterThan(30);
});

test('TypeScript and JavaScript compile in strict mode, also inside HTML', async () => {
  const files = [...blocksIn('ts', 'tsx', 'js'), ...blocksIn('html').flatMap(scriptsOfHtml)];
  expect(await typeErrors(files)).toBe('');
}, 120_000);

test.each(blocksIn('svelte'))('the Svelte component at $at compiles', ({ code }) => {
  expect(compileSvelte(code, { generate: 'client' }).warnings).toEqual([]);
});

test.each(blocksIn('vue'))('the Vue component at $at compiles', ({ code }) => {
  const { descriptor, errors } = parseVue(code);
  expect(errors).toEqual([]);
  expect(compileScript(descriptor, { id: 'docs' }).content).toContain('setup(');
});

test.each(blocksIn('json'))('the JSON at $at parses', ({ code }) => {
  // Some blocks list alternatives, one per line.
  const texts = /^\{.*\}\n\{/.test(code) ? code.trim().split('\n') : [code];
  for (const text of texts) expect(() => JSON.parse(text)).not.toThrow();
});

test.each(blocksIn('sh'))('the shell commands at $at parse', async ({ code }) => {
  const filledIn = code.replace(/<[a-z ]+>/g, 'value'); // <key id>
  await run('sh', ['-n', '-c', filledIn]);
});

/** Returns the compiler's errors, with each block's place in the docs before its file's name; '' if there are none. */
async function typeErrors(files: readonly CodeBlock[]): Promise<string> {
  writeFileSync(join(FOLDER, 'reader-context.d.ts'), READER_CONTEXT);
  const places = new Map<string, string>();
  for (const [index, { at, language, code }] of files.entries()) {
    const name = `block-${index}.${language}`;
    places.set(name, at);
    // An empty export makes each block a module, so that two blocks may declare the same name.
    writeFileSync(join(FOLDER, name), `${code}\nexport {};\n`);
  }
  writeFileSync(
    join(FOLDER, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        target: 'es2023',
        lib: ['es2024', 'dom', 'dom.iterable'],
        module: 'esnext',
        moduleResolution: 'bundler',
        jsx: 'react-jsx',
        customConditions: ['source'],
        allowImportingTsExtensions: true,
        types: ['node', 'vite/client'],
        allowJs: true,
        checkJs: true,
        noEmit: true,
        skipLibCheck: true,
        strict: true,
      },
      include: ['.'],
    }),
  );
  const { code, output } = await runNode(
    [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', FOLDER, '--pretty', 'false'],
    { cwd: FOLDER, quiet: true },
  );
  if (code === 0) return '';
  return output.replace(/block-\d+\.\w+/g, (name) => `${places.get(name)} (${name})`);
}

function scriptsOfHtml({ at, code }: CodeBlock): CodeBlock[] {
  const scripts = code.matchAll(/<script type="module">(.*?)<\/script>/gs);
  return Array.from(scripts, ([, script = '']) => ({ at, language: 'js', code: script }));
}

function markdownFiles(): string[] {
  const readmes = ['packages', 'examples'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => join(ROOT, folder, entry.name, 'README.md')),
  );
  const guides = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(ROOT, 'docs', name));
  return [...guides, ...readmes, join(ROOT, 'examples/README.md'), join(ROOT, 'README.md')];
}

function codeBlocksOf(path: string): CodeBlock[] {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return []; // Not every folder has a README.
  }
  const found = Array.from(text.matchAll(/^```(\w+)(.*)\n([\s\S]*?)^```$/gm));
  return found
    .filter(([, , attributes = '']) => !/ (skip|file)=/.test(attributes))
    .map((match) => ({
      at: `${relative(ROOT, path)}:${text.slice(0, match.index).split('\n').length}`,
      language: match[1] ?? '',
      code: match[3] ?? '',
    }));
}
