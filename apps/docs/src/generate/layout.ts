import { escapeHtml } from './escape-html.ts';
import { folded, sections } from './pages.ts';
import type { Heading, RenderedPage } from './render-page.ts';

/** Values that every page of the site shares. */
export interface Site {
  /** All pages, in the order of the sidebar. */
  readonly pages: readonly RenderedPage[];
  /** Addresses of the built files: `/docs/assets/…`. */
  readonly assets: {
    readonly styles: string;
    readonly script: string;
    readonly theme: string;
    readonly search: string;
  };
}

/** Renders a whole HTML document around a page: header, sidebar, contents, neighbors. */
export function renderLayout(site: Site, page: RenderedPage): string {
  const { styles, script, theme, search } = site.assets;
  const toc = page.headings.filter(({ depth }) => depth === 2 || depth === 3);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(page.title)} · Svc docs</title>
<meta name="description" content="${escapeHtml(page.description)}">
<link rel="icon" href="data:,">
<link rel="alternate" type="text/markdown" href="${markdownPath(page.path)}">
<link rel="stylesheet" href="${styles}">
<script src="${theme}"></script>
<script type="module" src="${script}" data-search="${search}"></script>
</head>
<body${page.wide ? ' class="wide"' : ''}>
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<button class="icon-button menu-button" type="button" popovertarget="sidebar" aria-label="Menu">${icons.menu}</button>
<a class="brand" href="/docs"><span class="brand-mark" aria-hidden="true">S</span>Svc <span class="brand-docs">Docs</span></a>
<button class="search-button" type="button" aria-label="Search" hidden>${icons.search}<span>Search</span><kbd>/</kbd></button>
<p class="reader" hidden></p>
<nav class="top-links" aria-label="Shortcuts"><a href="/docs/api">API</a><a href="/docs/errors">Errors</a><a href="/docs/events">Events</a></nav>
<button class="icon-button theme-button" type="button" aria-label="Switch between light and dark" hidden>${icons.theme}</button>
</header>
<div class="page">
<nav class="sidebar" id="sidebar" popover aria-label="Documentation">
<button class="icon-button close-button" type="button" popovertarget="sidebar" popovertargetaction="hide" aria-label="Close the menu">${icons.close}</button>
${sidebar(site, page)}
</nav>
<main id="content" tabindex="-1">
<article>
<p class="eyebrow">${escapeHtml(page.section)}</p>
<h1>${escapeHtml(page.title)}</h1>
<p class="lead">${escapeHtml(page.description)}</p>
<p class="page-actions"><button type="button" class="copy-page" data-markdown="${markdownPath(page.path)}" hidden>Copy page</button><a href="${markdownPath(page.path)}">View as Markdown</a></p>
${toc.length > 1 ? `<details class="toc-inline"><summary>On this page</summary>${contents(toc)}</details>` : ''}
${page.html}
</article>
${neighbors(site, page)}
<footer><a href="/llms.txt">llms.txt</a><a href="/llms-full.txt">llms-full.txt</a><a href="/docs/changelog">Changelog</a><a href="/docs/security">Security</a><a href="/v1/openapi.json">OpenAPI</a></footer>
</main>
${toc.length > 1 && !page.wide ? `<nav class="toc" aria-labelledby="toc-title"><p id="toc-title">On this page</p>${contents(toc)}</nav>` : ''}
</div>
</body>
</html>
`;
}

/** The address of a page's Markdown: `/docs/webhooks.md`. */
export function markdownPath(path: string): string {
  return path === '/docs' ? '/docs/index.md' : `${path}.md`;
}

/** Lists the pages by section. Long sections are folded unless they hold the open page. */
function sidebar({ pages }: Site, page: RenderedPage): string {
  return sections
    .map((section) => {
      const inside = pages.filter((it) => it.section === section);
      if (inside.length === 0) return '';
      const open = !folded.includes(section) || section === page.section;
      const links = inside.map(({ path, short }) => {
        const current = path === page.path ? ' aria-current="page"' : '';
        return `<li><a href="${path}"${current}>${escapeHtml(short)}</a></li>`;
      });
      return `<details${open ? ' open' : ''}><summary>${section}</summary><ul>${links.join('')}</ul></details>`;
    })
    .join('\n');
}

function contents(headings: readonly Heading[]): string {
  const items = headings.map(
    ({ depth, id, text }) =>
      `<li class="depth-${depth}"><a href="#${id}">${escapeHtml(text)}</a></li>`,
  );
  return `<ul>${items.join('')}</ul>`;
}

function neighbors({ pages }: Site, page: RenderedPage): string {
  const index = pages.findIndex(({ path }) => path === page.path);
  const [before, after] = [pages[index - 1], pages[index + 1]];
  const link = (to: RenderedPage, label: string, side: string) =>
    `<a class="${side}" href="${to.path}"><span>${label}</span>${escapeHtml(to.short)}</a>`;
  return `<nav class="neighbors" aria-label="Previous and next page">${before ? link(before, 'Previous', 'before') : ''}${after ? link(after, 'Next', 'after') : ''}</nav>`;
}

const icon = (paths: string) =>
  `<svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round">${paths}</svg>`;

const icons = {
  menu: icon('<path d="M3 5h14M3 10h14M3 15h14"/>'),
  close: icon('<path d="m5 5 10 10M15 5 5 15"/>'),
  search: icon('<circle cx="9" cy="9" r="5.5"/><path d="m13.5 13.5 3.5 3.5"/>'),
  theme: icon(
    '<circle cx="10" cy="10" r="6.5"/><path d="M10 3.5v13a6.5 6.5 0 0 0 0-13z" fill="currentColor"/>',
  ),
};
