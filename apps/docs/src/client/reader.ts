interface Reader {
  readonly pms: string;
  readonly api_key: string;
}

/**
 * Shows the reader's own portal name and sandbox key in the samples. Only a sandbox on the reader's
 * machine marks its pages with `data-reader`, and only it answers.
 */
export async function fillInReader(): Promise<void> {
  const url = document.documentElement.dataset.reader;
  if (url === undefined) return;
  const response = await fetch(url).catch(() => null);
  if (!response?.ok) return;
  const reader = (await response.json()) as Reader;
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
