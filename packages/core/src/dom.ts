/** Creates an element. It parses no markup, so it works under the strictest Trusted Types policy. */
export function createElement<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: { [name in keyof HTMLElementTagNameMap[K]]?: unknown } = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
}

/** Creates a host element whose shadow root holds `content`, styled by these sheets. */
export function createShadowHost(content: Element, ...css: string[]): HTMLElement {
  const host = createElement('div');
  const root = host.attachShadow({ mode: 'open' });
  // Adopted style sheets are not inline styles, so a policy of `style-src 'none'` allows them.
  root.adoptedStyleSheets = css.map(sharedSheet);
  root.append(content);
  return host;
}

const sheets = new Map<string, CSSStyleSheet>();

/** Parses each style sheet once per page, however many widgets use it. */
function sharedSheet(css: string): CSSStyleSheet {
  const sheet = sheets.get(css) ?? createSheet(css);
  sheets.set(css, sheet);
  return sheet;
}

export function createSheet(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
}
