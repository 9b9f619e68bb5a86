import { type RefObject, useEffect, useState } from 'react';

/**
 * A live list that does not move under the reader: while the pointer or the focus is in the list,
 * or it is scrolled, new rows wait until `showAll`.
 */
export function useHeldBack<T extends { id: string }>(
  rows: readonly T[],
  list: RefObject<HTMLElement | null>,
): { shown: readonly T[]; waiting: number; showAll: () => void } {
  const newest = rows[0]?.id ?? null;
  const [top, setTop] = useState(newest);
  const waiting = Math.max(
    0,
    rows.findIndex(({ id }) => id === top),
  );
  useEffect(() => {
    if (newest !== top && (waiting === 0 || !isRead(list.current))) setTop(newest);
  }, [newest, top, waiting, list]);
  return { shown: rows.slice(waiting), waiting, showAll: () => setTop(newest) };
}

function isRead(list: HTMLElement | null): boolean {
  if (list === null) return false;
  return list.matches(':hover, :focus-within') || list.getBoundingClientRect().top < 0;
}
