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
a { color: var(--svc-accent); }
code { font: 13px/1.5 ui-monospace, monospace; overflow-wrap: anywhere; }
`;
