import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defaultLocale, type Locale } from '@svc/contract/locales';
import { escapeHtml } from '../../domain/escape-html.ts';

/** Renders a page with the product's styles. `head` may hold an inline style or script. */
export function htmlPage(
  title: string,
  body: readonly string[],
  head = '',
  locale: Locale = defaultLocale,
): string {
  return `<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/style.css">
${head}
</head>
<body>
<main>
${body.join('\n')}
</main>
</body>
</html>
`;
}

/** Renders JSON in a `pre` element. */
export function jsonBlock(value: unknown): string {
  const text = escapeHtml(JSON.stringify(value, null, 2));
  return `<pre class="svc-code" tabindex="0"><code>${text}</code></pre>`;
}

/** The style sheet of these pages: design tokens, components and their own rules. */
export async function readStyles(folder: string): Promise<string> {
  const files = [
    'tokens.css',
    'components/controls.css',
    'components/data.css',
    'components/messages.css',
  ];
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return [...texts, pageStyle].join('\n');
}

const pageStyle = `
body { margin: 0; background: var(--svc-ground); color: var(--svc-text); font: 1rem/1.5 system-ui, sans-serif; }
main { max-width: 860px; margin: 0 auto; padding: 48px 24px 96px; }
h1, h2, h3 { line-height: 1.2; }
section { padding: 24px 0; border-top: 1px solid var(--svc-line); scroll-margin-top: 16px; }
section:target h2 { text-decoration: underline; text-decoration-color: var(--svc-accent); }
a { color: var(--svc-accent); }
img { max-width: min(100%, 264px); border: 1px solid var(--svc-line); border-radius: 8px; vertical-align: top; }
pre { overflow-x: auto; padding: 16px; border: 1px solid var(--svc-line); border-radius: 8px; }
h3 code, p code, td code { overflow-wrap: anywhere; }
code { font: 13px/1.5 ui-monospace, monospace; }
.states { overflow-x: auto; }
.states rect { fill: var(--svc-surface); stroke: var(--svc-line); }
.states text { fill: var(--svc-text); font: 13px ui-monospace, monospace; text-anchor: middle; }
.states .arrow { fill: none; stroke: var(--svc-quiet, currentColor); stroke-width: 1.25; }
.states marker path { fill: var(--svc-quiet, currentColor); }
nav ul { columns: 2; padding-left: 20px; }
nav[aria-label] { display: flex; flex-wrap: wrap; gap: 0 20px; padding-bottom: 16px; border-bottom: 1px solid var(--svc-line); font-size: 14px; }
nav[aria-label] a { padding: 4px 0; text-decoration: none; }
nav[aria-label] a:hover { text-decoration: underline; }
nav [aria-current] { color: inherit; font-weight: 600; }
table { display: block; overflow-x: auto; border-collapse: collapse; }
th, td { padding: 8px 16px 8px 0; border-bottom: 1px solid var(--svc-line); text-align: start; vertical-align: top; }
th:empty { padding: 0; }
code:target { outline: 2px solid var(--svc-accent); outline-offset: 2px; scroll-margin-top: 96px; }
`;
