import { useEffect } from 'react';

/**
 * Binds keyboard shortcuts: a single key ("j") or two in sequence ("g m"). They are ignored while the
 * user is typing and while a popover or dialog is open. Returns a function that removes them.
 */
export function listenToKeys(bindings: Record<string, () => void>): () => void {
  let previous = '';
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (isOverlayOpen()) return;
    const run = bindings[`${previous} ${event.key}`] ?? bindings[event.key];
    previous = event.key === 'g' ? 'g' : '';
    if (run === undefined) return;
    event.preventDefault();
    run();
  };
  addEventListener('keydown', onKey);
  return () => removeEventListener('keydown', onKey);
}

function isOverlayOpen(): boolean {
  return document.querySelector(':popover-open') !== null || isDialogOpen();
}

/** Returns whether a dialog is open. One that is closing stays in the document until its transition ends. */
export function isDialogOpen(): boolean {
  return document.querySelector('.dialog[data-open]') !== null;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]')
  );
}

/** Runs `run` on Escape, unless a popover or dialog is open or the user is typing. */
export function useEscape(run: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isTyping(event.target)) return;
      if (!isOverlayOpen()) run();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [run]);
}

/** Focuses the next or previous row of the list. Starts at the open row, or at the first one. */
export function moveAlongRows(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row]')];
  const focused = rows.indexOf(document.activeElement as HTMLElement);
  const open = rows.findIndex((row) => row.getAttribute('aria-current') === 'page');
  const from = focused >= 0 ? focused : open;
  const next = from < 0 ? 0 : Math.min(rows.length - 1, Math.max(0, from + step));
  rows[next]?.focus();
  rows[next]?.scrollIntoView({ block: 'nearest' });
}

/** Focuses the search of the page, and returns whether it has one. */
export function focusSearch(): boolean {
  const search = document.querySelector<HTMLInputElement>('[data-search]');
  search?.focus();
  search?.select();
  return search !== null;
}

/** ⌘K on Apple's devices, Ctrl K on all others. */
export const quickKeys = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘K' : 'Ctrl K';
