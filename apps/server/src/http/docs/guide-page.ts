import { posix } from 'node:path';
import { Marked } from 'marked';
import { escapeHtml } from '../../domain/escape-html.ts';
import { docsPage } from './docs-page.ts';
import { stateDiagram } from './state-diagram.ts';

/** The guides and their files in the repository. */
export const guides = {
  '/docs': 'docs/README.md',
  '/docs/sdk': 'packages/core/README.md',
  '/docs/react': 'packages/react/README.md',
  '/docs/node': 'packages/node/README.md',
  '/docs/examples': 'examples/README.md',
  '/docs/how-a-split-works': 'docs/how-a-split-works.md',
  '/docs/appearance': 'docs/appearance.md',
  '/docs/console': 'docs/console.md',
  '/docs/webhooks': 'docs/webhooks.md',
  '/docs/cli': 'docs/cli.md',
  '/docs/security': 'docs/security.md',
} as const;

export type Guide = keyof typeof guides;

/**
 * Renders a guide as a page. Anchors are the headings and the first occurrence of each name in
 * capitals, such as `SPLIT_RENT`. Links between guide files become links between pages, and so does
 * a page's path in code.
 */
export function guidePage(path: Guide, text: string): string {
  const file = guides[path];
  const anchors = new Set<string>();
  const once = (id: string) => {
    if (anchors.has(id)) return '';
    anchors.add(id);
    return ` id="${id}"`;
  };
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text: title }) {
        const inner = this.parser.parseInline(tokens);
        return `<h${depth}${once(anchorOf(title))}>${inner}</h${depth}>\n`;
      },
      codespan({ text: code }) {
        const id = /^[A-Z][A-Z_]{3,}$/.test(code) ? once(code) : '';
        const inner = `<code${id}>${escapeHtml(code)}</code>`;
        return code.startsWith('/docs/') ? `<a href="${code}">${inner}</a>` : inner;
      },
      code({ text: code, lang }) {
        if (lang?.startsWith('states ')) return `${stateDiagram(code)}\n`;
        return `<pre class="svc-code" tabindex="0"><code>${escapeHtml(code)}</code></pre>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escapeHtml(addressOf(href, file))}">${this.parser.parseInline(tokens)}</a>`;
      },
      html: ({ text: markup }) => escapeHtml(markup),
    },
  });
  const title = /^# (.+)$/m.exec(text)?.[1] ?? 'Guide';
  return docsPage(path, title, [marked.parse(text, { async: false })]);
}

function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9 ]/g, '')
    .trim()
    .replaceAll(' ', '-');
}

/** The page of another guide's file, or the start page if it has none. Absolute URLs and anchors stay as they are. */
function addressOf(href: string, file: string): string {
  if (/^(https?:|#)/.test(href)) return href;
  const [path = '', anchor] = href.split('#');
  const target = posix.join(posix.dirname(file), path);
  const page = Object.entries(guides).find(([, one]) => one === target)?.[0];
  if (page === undefined) return '/';
  return anchor === undefined ? page : `${page}#${anchor}`;
}
