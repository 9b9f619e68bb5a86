import { options } from 'preact';

/**
 * Keeps Preact from owning text nodes. Chrome's translator replaces each text node with a `<font>` element,
 * and Preact would keep writing to the replaced node: amounts and labels on the screen would no longer
 * change. Instead each text is written as the `textContent` of its element, which also removes what a
 * translator has put there. Elements keep their focus, and live regions stay the same elements.
 *
 * Call it before the first render.
 */
export function writeTextThroughElements(): void {
  const next = options.vnode;
  options.vnode = (vnode) => {
    // Preact makes a node without a type for each text, and its props are the text.
    const node = vnode as { type: unknown; props: unknown };
    if (node.type === null) {
      const text = String(node.props);
      node.type = 'span';
      // White space between the items of a flex container must not become an item.
      node.props =
        text.trim() === ''
          ? { style: { display: 'contents' }, textContent: text }
          : { textContent: text };
    } else if (typeof node.type === 'string') {
      const { children, ...attributes } = vnode.props;
      const text = textOf(children);
      if (text !== null) node.props = { ...attributes, textContent: text };
    }
    next?.(vnode);
  };
}

/** Returns the text of an element that has only text. Null if it also has elements, or nothing. */
function textOf(children: unknown): string | null {
  if (typeof children === 'string' || typeof children === 'number') return String(children);
  if (!Array.isArray(children)) return null;
  const parts = children.flat(Number.POSITIVE_INFINITY);
  const texts = parts.filter((it) => it !== null && it !== undefined && typeof it !== 'boolean');
  const isText = texts.length > 0 && texts.every((it) => ['string', 'number'].includes(typeof it));
  return isText ? texts.join('') : null;
}
