import type { Experience } from '../instance.ts';

interface Handlers {
  /** The page was replaced under the open dialog, or has removed the dialog. */
  onGone(): void;
  /** The page has hidden its own dialog, which ours is in. */
  onHidden(): void;
}

/**
 * Watches what the page does to an open dialog. Turbo, htmx and scripts that write a new body end the
 * experience: the tenant is on another page. A morph or a new rendering of a part of the page does not.
 * @returns a function that stops it
 */
export function watchPage(
  { host, dialog }: Experience,
  widget: Element | undefined,
  { onGone, onHidden }: Handlers,
): () => void {
  // The body's child around the widget. Others, such as a chat, may move to the new page.
  const around = widget?.isConnected && topLevelElement(widget);
  const page = around ? [around] : [...document.body.children];
  const mutations = new MutationObserver(() => {
    if (!host.isConnected || !page.some((it) => it.isConnected)) onGone();
    // An element that is moved stops being modal.
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
