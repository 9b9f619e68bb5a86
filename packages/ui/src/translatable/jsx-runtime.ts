import { jsx as createElement, jsxs as createWithChildren, Fragment } from 'react/jsx-runtime';

export { Fragment };

/**
 * React's JSX, in which no text has siblings. Chrome's translator replaces each text node with a `<font>`
 * element. React would keep writing to a replaced node that it updates in place, so a count or an amount
 * would stay as it was, and it fails where it inserts something before such a node. An element that has
 * only text is safe: React then writes its `textContent`. So texts are joined, or get an element.
 *
 * `jsxImportSource` of the Vite configs names this folder. The types remain those of React.
 */
export function jsx(type: unknown, props: Props, key?: string): unknown {
  return create(type, withoutLooseText(type, props), key);
}

export function jsxs(type: unknown, props: Props, key?: string): unknown {
  return createStatic(type, withoutLooseText(type, props), key);
}

type Props = { children?: unknown; [name: string]: unknown };

type Create = (type: unknown, props: Props, key?: string) => unknown;
const create = createElement as Create;
const createStatic = createWithChildren as Create;

/** Elements that cannot contain HTML elements: those with plain text, and those of SVG. */
const opaque = new Set<unknown>([
  'option',
  'script',
  'style',
  'text',
  'textarea',
  'title',
  'tspan',
]);

function isMarkup(type: unknown): boolean {
  return type === Fragment || (typeof type === 'string' && !opaque.has(type));
}

function withoutLooseText(type: unknown, props: Props): Props {
  // A component's children reach an element in the component.
  if (!isMarkup(type)) return props;
  const { children } = props;
  const text = textOf(children);
  if (text !== null) return { ...props, children: type === Fragment ? textElement(text, 0) : text };
  return Array.isArray(children) ? { ...props, children: children.map(wrapText) } : props;
}

function wrapText(child: unknown, index: number): unknown {
  const text = textOf(child);
  if (text !== null) return textElement(text, index);
  return Array.isArray(child) ? child.map(wrapText) : child;
}

/** Wraps text in an element that no style sheet selects. A blank must not become an item of a flex container. */
function textElement(text: string, index: number): unknown {
  const style = text.trim() === '' ? { display: 'contents' } : undefined;
  return create('svc-text', { style, children: text }, `text-${index}`);
}

/** Joins children that are only texts. Null if there is another child, or no text. */
function textOf(children: unknown): string | null {
  const parts = [children].flat(Number.POSITIVE_INFINITY);
  const texts = parts.filter((it) => it !== null && it !== undefined && typeof it !== 'boolean');
  const isText = texts.every((it) => typeof it === 'string' || typeof it === 'number');
  return isText && texts.length > 0 ? texts.join('') : null;
}
