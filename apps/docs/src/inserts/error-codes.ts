import { type CatalogEntry, errorCatalog } from '@svc/contract';
import { operatorErrorCatalog } from '@svc/contract/operator';
import type { Insert } from './insert.ts';

const groups: readonly { title: string; statuses: (status: number) => boolean }[] = [
  {
    title: 'The request cannot be read (400, 405–417, 431)',
    statuses: (status) => [400, 405, 408, 412, 413, 415, 417, 431].includes(status),
  },
  { title: 'Credentials (401)', statuses: (status) => status === 401 },
  { title: 'Not allowed (403)', statuses: (status) => status === 403 },
  { title: 'Not found (404)', statuses: (status) => status === 404 },
  { title: 'Not possible now (409)', statuses: (status) => status === 409 },
  { title: 'Wrong fields (422)', statuses: (status) => status === 422 },
  { title: 'Too many requests (429)', statuses: (status) => status === 429 },
  { title: 'Our side (5xx)', statuses: (status) => status >= 500 },
];

/** Calls that failed with these codes may succeed if they are repeated. `@svc/node` repeats them, too. */
const retryableCodes = new Set(['idempotency_key_in_progress', 'request_timeout', 'rate_limited']);

function isRetryable(code: string, status: number): boolean {
  return status >= 500 || retryableCodes.has(code);
}

/** Describes every error code of the API under its own heading, grouped by status. */
export function errorCodes(): Insert {
  const entries: [string, CatalogEntry][] = Object.entries(errorCatalog);
  const parts = groups.map(({ title, statuses }) => {
    const codes = entries.filter(([, { status }]) => statuses(status));
    return [`## ${title}`, ...codes.map(([code, entry]) => describe(code, entry))].join('\n\n');
  });
  return { markdown: parts.join('\n\n') };
}

/** Describes the error codes that only the API of the operator's console has. */
export function operatorErrorCodes(): Insert {
  const entries: [string, CatalogEntry][] = Object.entries(operatorErrorCatalog);
  return { markdown: entries.map(([code, entry]) => describe(code, entry)).join('\n\n') };
}

function describe(code: string, { status, meaning, fix }: CatalogEntry): string {
  const retry = isRetryable(code, status)
    ? 'yes: the same request may succeed later'
    : 'no: the same request fails again';
  return [
    `### \`${code}\` {#${code}}`,
    meaning,
    `- **What to do:** ${fix}\n- **Status:** ${status}\n- **Retry:** ${retry}`,
  ].join('\n\n');
}
