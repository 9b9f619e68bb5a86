import { createCssVariablesTheme, createHighlighter, type ThemedToken } from 'shiki';
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript';
import { escapeHtml } from './escape-html.ts';

/** Languages of code blocks: the name to show, and Shiki's grammar. `null` is plain text. */
export const languages: Readonly<Record<string, { name: string; grammar: string | null }>> = {
  ts: { name: 'TypeScript', grammar: 'ts' },
  tsx: { name: 'TSX', grammar: 'tsx' },
  js: { name: 'JavaScript', grammar: 'js' },
  jsx: { name: 'JSX', grammar: 'jsx' },
  html: { name: 'HTML', grammar: 'html' },
  css: { name: 'CSS', grammar: 'css' },
  vue: { name: 'Vue', grammar: 'vue' },
  svelte: { name: 'Svelte', grammar: 'svelte' },
  json: { name: 'JSON', grammar: 'json' },
  sh: { name: 'Shell', grammar: 'bash' },
  py: { name: 'Python', grammar: 'python' },
  rb: { name: 'Ruby', grammar: 'ruby' },
  erb: { name: 'ERB', grammar: 'erb' },
  php: { name: 'PHP', grammar: 'php' },
  go: { name: 'Go', grammar: 'go' },
  java: { name: 'Java', grammar: 'java' },
  cs: { name: 'C#', grammar: 'csharp' },
  rs: { name: 'Rust', grammar: 'rust' },
  xml: { name: 'XML', grammar: 'xml' },
  yaml: { name: 'YAML', grammar: 'yaml' },
  ini: { name: 'Settings', grammar: 'ini' },
  sql: { name: 'SQL', grammar: 'sql' },
  http: { name: 'HTTP', grammar: 'http' },
  text: { name: 'Text', grammar: null },
};

const theme = createCssVariablesTheme({ name: 'classes', variablePrefix: '--t-' });

const highlighter = await createHighlighter({
  themes: [theme],
  langs: Object.values(languages).flatMap(({ grammar }) => grammar ?? []),
  // This engine needs no WebAssembly, and supports all of these grammars.
  engine: createJavaScriptRegexEngine({ forgiving: true }),
});

/**
 * Renders code as HTML with one class per kind of token, because the policy of the pages forbids
 * inline styles. Placeholders for the reader's portal name and API key become elements that a
 * script can fill in.
 */
export function highlight(code: string, language: string): string {
  const grammar = languages[language]?.grammar;
  if (!grammar) return wrapPlaceholders(escapeHtml(code));
  // 0 turns off the default limit of 0.5 s for each line, which a busy machine reaches.
  const options = { lang: grammar as 'ts', theme, tokenizeTimeLimit: 0 };
  const lines = highlighter.codeToTokensBase(code, options);
  return lines.map((tokens) => tokens.map(tokenHtml).join('')).join('\n');
}

function tokenHtml({ content, color }: ThemedToken): string {
  const text = wrapPlaceholders(escapeHtml(content));
  const [, kind] = /--t-(?:token-)?([a-z-]+)/.exec(color ?? '') ?? [];
  return kind === undefined || kind === 'foreground'
    ? text
    : `<span class="t-${kind}">${text}</span>`;
}

/** Wraps the placeholders for the reader's API key (`svc_sandbox_…`) and portal name (`my-portal`). */
function wrapPlaceholders(html: string): string {
  return html
    .replaceAll('svc_sandbox_…', '<span data-fill="key">svc_sandbox_…</span>')
    .replace(/(?<!create )\b(my-portal)\b/g, '<span data-fill="pms">$1</span>');
}
