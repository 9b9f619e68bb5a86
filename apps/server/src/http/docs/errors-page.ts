import { type CatalogEntry, errorCatalog } from '@svc/contract';
import { escapeHtml } from '../../domain/escape-html.ts';
import { docsPage } from './docs-page.ts';

/** Renders every error code, at the anchor that `doc_url` points to. */
export function errorsPage(): string {
  const entries: [string, CatalogEntry][] = Object.entries(errorCatalog);
  return docsPage('/docs/errors', 'Error codes', [
    '<h1>Error codes</h1>',
    '<p>Every failed call returns <code>{"error": {"code", "message", …}, "data": null}</code>. Branch on the code; the message is for people.</p>',
    ...entries.map(([code, { status, meaning, fix }]) =>
      [
        `<section id="${code}">`,
        `<h2><code>${code}</code></h2>`,
        `<p><span class="svc-badge">HTTP ${status}</span></p>`,
        `<p>${escapeHtml(meaning)}</p>`,
        `<p><strong>What to do:</strong> ${escapeHtml(fix)}</p>`,
        '</section>',
      ].join('\n'),
    ),
  ]);
}
