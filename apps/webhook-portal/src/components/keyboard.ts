/** Runs `bindings` by key, or by two keys in a row ("g m"), never while someone types. */
export function listenToKeys(bindings: Record<string, () => void>): () => void {
  let before = '';
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (document.querySelector(':popover-open, .dialog') !== null) return;
    const run = bindings[`${before} ${event.key}`] ?? bindings[event.key];
    before = event.key === 'g' ? 'g' : '';
    if (run === undefined) return;
    event.preventDefault();
    run();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
  );
}

/** Moves the focus along the page's list; starts at the open row, or else the first. */
export function moveAlongRows(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const focused = rows.indexOf(document.activeElement as HTMLElement);
  const open = rows.findIndex((row) => row.getAttribute('aria-current') === 'page');
  const from = focused >= 0 ? focused : open;
  const next = from < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, from + step));
  rows[next]?.focus();
  rows[next]?.scrollIntoView({ block: 'nearest' });
}

export function focusSearch(): void {
  const search = document.querySelector<HTMLInputElement>('[data-search]');
  search?.focus();
  search?.select();
}
