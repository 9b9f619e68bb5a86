let count = 0;

/** Returns a marker for the ends of arrows. Each diagram has its own, because ids are unique on a page. */
export function arrowTip(): { readonly id: string; readonly definition: string } {
  count += 1;
  const id = `tip-${count}`;
  return {
    id,
    definition: `<defs><marker id="${id}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0 8 4 0 8z"/></marker></defs>`,
  };
}
