import type { DocsLinks } from './docs-links.ts';
import type { Journal } from './journal.ts';

interface Recording {
  journal: Journal;
  docs: DocsLinks;
  basePath: string;
  tenantId: string | null;
}

/** The global fetch, each call of which is written to the journal; headers, and so the key, never. */
export function recordingFetch({ journal, docs, basePath, tenantId }: Recording): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const path = url.pathname.slice(basePath.length) + url.search;
    const started = performance.now();
    const record = (status: number | null, response: string | null) =>
      journal.record({
        kind: 'call',
        tenant_id: tenantId,
        doc_url: docs.api(path),
        method: init?.method ?? 'GET',
        path: decodeURI(path),
        status,
        duration_ms: Math.round(performance.now() - started),
        request: typeof init?.body === 'string' ? init.body : null,
        response,
      });
    try {
      const response = await fetch(input, init);
      record(response.status, maskSecrets(await response.clone().text()));
      return response;
    } catch (error) {
      record(null, null);
      throw error;
    }
  };
}

/** A tenant token or a portal link opens something, so a screen shared with others shows neither. */
function maskSecrets(text: string): string {
  return text
    .replace(/(svc_[a-z]{2}_)[\w-]+/g, '$1…')
    .replace(/(whsec_)[\w+/=-]+/g, '$1…')
    .replace(/(\/portal#)[^"]+/g, '$1…');
}
