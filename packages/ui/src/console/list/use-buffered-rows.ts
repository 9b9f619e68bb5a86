import { type RefObject, useEffect, useState } from 'react';

/**
 * Keeps a live list from moving while someone reads it. While the pointer or focus is in the list, or
 * it is scrolled, new rows are buffered until `showAll` is called.
 */
export function useBufferedRows<Item>(
  rows: readonly Item[],
  keyOf: (row: Item) => string,
  list: RefObject<HTMLElement | null>,
): { shown: readonly Item[]; waiting: number; showAll: () => void } {
  const newest = rows[0] === undefined ? null : keyOf(rows[0]);
  const [top, setTop] = useState(newest);
  const waiting = Math.max(
    0,
    rows.findIndex((row) => keyOf(row) === top),
  );
  useEffect(() => {
    if (newest !== top && (waiting === 0 || !isBeingRead(list.current))) setTop(newest);
  }, [newest, top, waiting, list]);
  return { shown: rows.slice(waiting), waiting, showAll: () => setTop(newest) };
}

function isBeingRead(list: HTMLElement | null): boolean {
  if (list === null) return false;
  return list.matches(':hover, :focus-within') || list.getBoundingClientRect().top < 0;
}
