/** What a chart is drawn in, as the present theme has it; a canvas can't read the tokens itself. */
export type Color = 'good' | 'bad' | 'p50' | 'p95' | 'line' | 'text';

/** Reads `.chart__color--…` below `figure`, whose color is the token. */
export function colorOf(figure: Element, color: Color): string {
  const sample = figure.querySelector(`.chart__color--${color}`);
  return sample ? getComputedStyle(sample).color : 'gray';
}

/** Calls back when the theme, the system's or the chosen one, changes the colors. */
export function onColorsChange(listener: () => void): () => void {
  const queries = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) =>
    matchMedia(query),
  );
  const chosen = new MutationObserver(listener);
  chosen.observe(document.documentElement, { attributeFilter: ['data-theme', 'data-contrast'] });
  for (const query of queries) query.addEventListener('change', listener);
  return () => {
    chosen.disconnect();
    for (const query of queries) query.removeEventListener('change', listener);
  };
}
