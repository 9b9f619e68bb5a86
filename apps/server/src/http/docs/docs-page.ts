import { escapeHtml } from '../../domain/escape-html.ts';
import { htmlPage } from '../pages/html-page.ts';

/** The pages of the docs, in the order in which a partner's developer needs them. */
export const chapters = {
  '/docs': 'Integrate in ten minutes',
  '/docs/sdk': 'The widget',
  '/docs/react': 'React',
  '/docs/node': 'Your backend',
  '/docs/examples': 'Examples',
  '/docs/how-a-split-works': 'How a split works',
  '/docs/appearance': 'Your brand',
  '/docs/webhooks': 'Webhooks',
  '/docs/console': 'Partner console',
  '/docs/cli': 'Command line',
  '/docs/events': 'Event types',
  '/docs/api': 'Partner API',
  '/docs/errors': 'Error codes',
  '/docs/security': 'Security',
} as const;

/** Renders a page of the docs with links to all others. */
export function docsPage(
  path: keyof typeof chapters,
  title: string,
  body: readonly string[],
): string {
  const links = Object.entries(chapters).map(([to, name]) =>
    to === path
      ? `<a href="${to}" aria-current="page">${escapeHtml(name)}</a>`
      : `<a href="${to}">${escapeHtml(name)}</a>`,
  );
  return htmlPage(title, [`<nav aria-label="Docs">${links.join('\n')}</nav>`, ...body]);
}
