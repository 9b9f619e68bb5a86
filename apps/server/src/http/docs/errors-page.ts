import { type CatalogEntry, errorCatalog, type SdkError, sdkErrorCatalog } from '@svc/contract';
import type { Service } from '../../context.ts';
import { escapeHtml } from '../../domain/escape-html.ts';
import { docsPage } from './docs-page.ts';

/**
 * Renders every error code of the API and of the SDK, at the anchor that `doc_url` and the console
 * lines of the SDK point to. A code that both know has one anchor, that of the API.
 */
export function errorsPage({ publicOrigin }: Pick<Service, 'publicOrigin'>): string {
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
    '<h1 id="sdk">Errors of the SDK</h1>',
    '<p>Each is an <code>ERROR</code> event with this <code>error_code</code>. In the sandbox, the console also says what is wrong on your page. Codes without a number are lines of the console only.</p>',
    ...sdkEntries(publicOrigin),
  ]);
}

function sdkEntries(publicOrigin: string): string[] {
  const entries: [string, SdkError][] = Object.entries(sdkErrorCatalog);
  const text = (words: string) =>
    escapeHtml(
      words.replaceAll('{service}', publicOrigin).replaceAll('{page}', 'your page’s origin'),
    );
  return entries.map(([code, { code: number, meaning, cause, fix }]) => {
    const id = Object.hasOwn(errorCatalog, code) ? `sdk-${code}` : code;
    return [
      `<section id="${id}">`,
      `<h2><code>${code}</code></h2>`,
      `<p><span class="svc-badge">${number === null ? 'Console' : `ERROR ${number}`}</span></p>`,
      `<p>${text(meaning)}</p>`,
      `<p><strong>Why:</strong> ${text(cause)}</p>`,
      `<p><strong>What to do:</strong> ${text(fix)}</p>`,
      '</section>',
    ].join('\n');
  });
}
