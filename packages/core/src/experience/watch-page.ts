import type { Experience } from '../instance.ts';

interface Handlers {
  /** The page was replaced under the open dialog, or has removed the dialog. */
  onGone(): void;
  /** The page has hidden its own dialog, which contains ours. */
  onHidden(): void;
}

/**
 * Watches what the page does to an open dialog. Turbo, htmx and scripts that write a new body end the
 * experience: the tenant is on another page. A morph or a new rendering of a part of the page does not.
 * @returns a function that stops watching
 */
export function watchPage(
  { host, dialog }: Experience,
  widget: Element | undefined,
  { onGone, onHidden }: Handlers,
): () => void {
  // The child of the body that contains the widget. Others, such as a chat, may survive on the new page.
  const widgetAncestor = widget?.isConnected && topLevelElement(widget);
  const pageElements = widgetAncestor ? [widgetAncestor] : [...document.body.children];
  const mutations = new MutationObserver(() => {
    if (!host.isConnected || !pageElements.some((it) => it.isConnected)) onGone();
    // A dialog that was moved is no longer modal, so it is opened again.
    else if (dialog.open && !dialog.matches(':modal')) {
      dialog.close();
      dialog.showModal();
    }
  });
  for (const root of [document, host.getRootNode()]) {
    mutations.observe(root, { childList: true, subtree: true });
  }
  const size = new ResizeObserver(() => {
    const isInPageDialog = host.parentNode !== document.documentElement;
    if (isInPageDialog && host.isConnected && dialog.offsetWidth === 0) onHidden();
  });
  size.observe(dialog);
  return () => {
    mutations.disconnect();
    size.disconnect();
  };
}

function topLevelElement(element: Element): Element {
  let top = element;
  for (let node: Node | null = element; node && node !== document.body; ) {
    if (node instanceof Element) top = node;
    node = node instanceof ShadowRoot ? node.host : node.parentNode;
  }
  return top;
}
