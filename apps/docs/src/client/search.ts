import { createIndex, type Entry, find } from './search-index.ts';

/** Opens a dialog that searches all pages. The texts are fetched when it first opens. */
export function startSearch(indexUrl: string): void {
  const button = document.querySelector<HTMLButtonElement>('.search-button');
  if (!button || typeof HTMLDialogElement === 'undefined') return;
  button.hidden = false;
  const view = createView();
  let loading: ReturnType<typeof loadIndex> | undefined;

  const open = async () => {
    if (!view.dialog.open) view.dialog.showModal();
    view.input.select();
    loading ??= loadIndex(indexUrl);
    try {
      const index = await loading;
      view.input.oninput = () => view.show(find(index, view.input.value), view.input.value);
      view.input.dispatchEvent(new Event('input'));
    } catch {
      loading = undefined;
      view.showMessage('The search index could not be loaded. Close this and try again.');
    }
  };
  button.addEventListener('click', open);
  document.addEventListener('keydown', async (event) => {
    const typing =
      event.target instanceof HTMLElement && event.target.closest('input, textarea, select');
    const slash = event.key === '/' && !typing && !event.ctrlKey && !event.metaKey && !event.altKey;
    const commandK = event.key === 'k' && (event.ctrlKey || event.metaKey);
    if (!slash && !commandK) return;
    event.preventDefault();
    await open();
  });
}

async function loadIndex(url: string) {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${response.status}`);
  return createIndex((await response.json()) as Entry[]);
}

function createView() {
  const dialog = document.createElement('dialog');
  dialog.className = 'search';
  dialog.setAttribute('aria-label', 'Search the docs');
  const input = document.createElement('input');
  input.type = 'search';
  input.placeholder = 'Search the docs';
  input.setAttribute('aria-label', 'Search the docs');
  input.autocomplete = 'off';
  input.spellcheck = false;
  input.role = 'combobox';
  input.setAttribute('aria-expanded', 'false');
  input.setAttribute('aria-controls', 'search-results');
  const list = document.createElement('div');
  list.id = 'search-results';
  list.role = 'listbox';
  list.setAttribute('aria-label', 'Results');
  const status = document.createElement('p');
  status.className = 'search-status';
  status.role = 'status';
  dialog.append(input, list, status);
  document.body.append(dialog);
  let active = 0;

  const setActive = (next: number) => {
    const items = [...list.children];
    active = items.length === 0 ? 0 : (next + items.length) % items.length;
    for (const [index, item] of items.entries()) {
      item.setAttribute('aria-selected', String(index === active));
    }
    items[active]?.scrollIntoView({ block: 'nearest' });
    const id = items[active]?.id;
    if (id) input.setAttribute('aria-activedescendant', id);
    else input.removeAttribute('aria-activedescendant');
  };
  input.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') setActive(active + 1);
    else if (event.key === 'ArrowUp') setActive(active - 1);
    else if (event.key === 'Enter') (list.children[active] as HTMLElement | undefined)?.click();
    else return;
    event.preventDefault();
  });
  // A click on the backdrop or on a result closes the dialog.
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog || (event.target as Element).closest('a')) dialog.close();
  });

  const showMessage = (text: string) => {
    list.replaceChildren();
    status.textContent = text;
  };
  return {
    dialog,
    input,
    showMessage,
    show(found: readonly Entry[], query: string) {
      input.setAttribute('aria-expanded', String(found.length > 0));
      if (query.trim() === '') return showMessage('Type a word, an error code or an event.');
      if (found.length === 0) return showMessage(`Nothing was found for “${query}”.`);
      status.textContent = '';
      list.replaceChildren(...found.map((entry, index) => resultItem(entry, index, query)));
      setActive(0);
    },
  };
}

function resultItem(
  { url, page, heading, text }: Entry,
  index: number,
  query: string,
): HTMLElement {
  const link = document.createElement('a');
  link.id = `search-result-${index}`;
  link.role = 'option';
  link.href = url;
  link.tabIndex = -1;
  const title = document.createElement('strong');
  title.textContent = heading === '' ? page : heading;
  const place = document.createElement('span');
  place.textContent = heading === '' ? '' : page;
  const excerpt = document.createElement('p');
  excerpt.append(...highlighted(excerptOf(text, query), query));
  link.append(title, place, excerpt);
  return link;
}

function excerptOf(text: string, query: string): string {
  // The excerpt shows a match at the start of a word, so that "rate" does not show "migrate".
  const word = query.trim().split(/\s+/)[0] ?? '';
  const found = text.search(new RegExp(`(?<![\\p{L}\\p{N}])${escapePattern(word)}`, 'iu'));
  const start = Math.max(0, found - 40);
  const excerpt = text.slice(start, start + 140);
  return `${start > 0 ? '…' : ''}${excerpt}${text.length > start + 140 ? '…' : ''}`;
}

function highlighted(text: string, query: string): (string | HTMLElement)[] {
  const words = query
    .trim()
    .split(/\s+/)
    .filter((word) => word.length > 1);
  if (words.length === 0) return [text];
  const pattern = new RegExp(
    `((?<![\\p{L}\\p{N}])(?:${words.map(escapePattern).join('|')}))`,
    'giu',
  );
  return text.split(pattern).map((part, index) => {
    if (index % 2 === 0) return part;
    const mark = document.createElement('mark');
    mark.textContent = part;
    return mark;
  });
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
