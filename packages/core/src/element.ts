import css from './widget/style.css?inline';

/** Makes an element. No markup is ever parsed, so the page's Trusted Types can forbid everything. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties?: { [name in keyof HTMLElementTagNameMap[K]]?: unknown },
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children);
  return made;
}

export function sheetOf(css: string): CSSStyleSheet {
  const made = new CSSStyleSheet();
  made.replaceSync(css);
  return made;
}

let sheet: CSSStyleSheet | undefined;

/** A host whose shadow root holds `inside`. Its style is adopted, so `style-src 'none'` allows it. */
export function hostOf(inside: Element): HTMLElement {
  const host = element('div');
  const root = host.attachShadow({ mode: 'open' });
  sheet ??= sheetOf(css);
  root.adoptedStyleSheets = [sheet];
  root.append(inside);
  return host;
}
