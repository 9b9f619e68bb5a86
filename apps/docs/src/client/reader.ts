interface Reader {
  readonly pms: string;
  readonly api_key: string;
}

const storageKey = 'svc-docs-reader';

/**
 * Shows the reader's own portal name and sandbox key in the samples, in this tab, after it was opened
 * with the link that `npm start` prints.
 */
export async function fillInReader(): Promise<void> {
  const reader = (await openLink()) ?? recallReader();
  if (reader === null) return;
  for (const place of document.querySelectorAll<HTMLElement>('[data-fill="pms"]')) {
    place.textContent = reader.pms;
  }
  for (const place of document.querySelectorAll<HTMLElement>('[data-fill="key"]')) {
    place.textContent = reader.api_key;
  }
  const badge = document.querySelector<HTMLElement>('.reader');
  if (!badge) return;
  badge.textContent = `Sandbox · ${reader.pms}`;
  badge.title = `The samples show the portal ${reader.pms} and its sandbox key.`;
  badge.hidden = false;
}

/** Exchanges the secret of a link, which works once, and removes it from the address bar. */
async function openLink(): Promise<Reader | null> {
  const secret = location.hash.slice(1);
  if (!secret.startsWith('svc_dl_')) return null;
  history.replaceState(null, '', location.pathname + location.search);
  const response = await fetch('/docs/reader', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ secret }),
  }).catch(() => null);
  if (!response?.ok) return null;
  const reader = (await response.json()) as Reader;
  try {
    sessionStorage.setItem(storageKey, JSON.stringify(reader));
  } catch {
    // Storage is blocked. Only this page shows the key.
  }
  return reader;
}

function recallReader(): Reader | null {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as Reader | null;
  } catch {
    return null;
  }
}
