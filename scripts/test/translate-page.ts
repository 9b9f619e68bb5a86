/// <reference lib="dom" />
import type { BrowserContext, Page } from 'playwright-core';

/**
 * Does to a page what Chrome's translator does: each text node is replaced with `<font>` elements, at
 * once and whenever a text appears. The words stay the same, so a translated page must show exactly what
 * the page shows without it.
 */
export async function translatePage(page: Page | BrowserContext): Promise<void> {
  await page.addInitScript(translate);
}

/** Runs in the page, so it must not refer to anything outside of this function. */
function translate(): void {
  const ignored = 'script, style, textarea, title, svg, font';
  // Browsers name an option by its text, whatever contains it. Playwright's names leave out its elements, so the
  // text of an option becomes another text node.
  const ofOptions = new WeakSet<Node>();
  const replaceTexts = (root: Node): void => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const texts: Node[] = root.nodeType === Node.TEXT_NODE ? [root] : [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    for (const text of texts) {
      const parent = text.parentElement;
      if (parent === null || parent.closest(ignored) !== null || ofOptions.has(text)) continue;
      if (parent.matches('option')) {
        const other = document.createTextNode(text.nodeValue ?? '');
        ofOptions.add(other);
        parent.replaceChild(other, text);
        continue;
      }
      const outer = document.createElement('font');
      const inner = document.createElement('font');
      inner.textContent = text.nodeValue;
      outer.append(inner);
      text.parentNode?.replaceChild(outer, text);
    }
  };
  const observer = new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes) replaceTexts(node);
  });
  observer.observe(document, { childList: true, subtree: true });
  // Closed shadow roots too, such as the widget's.
  const attachShadow = Element.prototype.attachShadow;
  Element.prototype.attachShadow = function (init) {
    const root = attachShadow.call(this, init);
    observer.observe(root, { childList: true, subtree: true });
    return root;
  };
}
