import type { DocsLinks } from './docs-links.ts';
import type { Journal } from './journal.ts';

interface Recording {
  journal: Journal;
  docs: DocsLinks;
  basePath: string;
  tenantId: string | null;
}

/** Wraps `fetch` to record each call in the journal. Headers, and thus the API key, are not recorded. */
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

/** Masks tenant tokens, secrets, and portal links, because the activity list may be visible on a shared screen. */
function maskSecrets(text: string): string {
  return text
    .replace(/(svc_[a-z]{2}_)[\w-]+/g, '$1…')
    .replace(/(whsec_)[\w+/=-]+/g, '$1…')
    .replace(/(\/portal#)[^"]+/g, '$1…');
}
