const focusable =
  '#title, input:checked, input:not([type=radio], :disabled), select, a[href], button:not(:disabled)';

/**
 * Moves the focus when the focused element is removed, such as a button that its fields replace: to
 * the title or first control of what was added in its place, or else to the screen's title. Without it
 * the focus falls back to the body, and a screen reader starts over at the top of the page.
 */
export function keepFocus(root: HTMLElement): void {
  let focused: Element | null = null;
  let target: HTMLElement | null = null;

  root.addEventListener('focusin', ({ target }) => {
    focused = target instanceof Element ? target : null;
  });
  new MutationObserver((changes) => {
    if (focused === null || focused.isConnected) return;
    focused = null;
    const added = changes
      .flatMap(({ addedNodes }) => [...addedNodes])
      .filter((it): it is HTMLElement => it instanceof HTMLElement && it.isConnected);
    target = firstIn(added) ?? root.querySelector<HTMLElement>('#title');
    // In a window without focus, wait: the tenant is on another tab, or in the partner's page.
    if (document.hasFocus()) restore();
  }).observe(root, { childList: true, subtree: true });
  addEventListener('focus', restore);

  function restore(): void {
    if (document.activeElement === document.body && target?.isConnected === true) {
      target.focus({ preventScroll: true });
      // Scrolls only if it is hidden: what replaces a button is often already in view.
      target.scrollIntoView({ block: 'nearest' });
    }
    target = null;
  }
}

function firstIn(added: readonly HTMLElement[]): HTMLElement | null {
  for (const element of added) {
    if (element.matches(focusable)) return element;
    const title = element.querySelector<HTMLElement>('#title');
    const found = title ?? element.querySelector<HTMLElement>(focusable);
    if (found !== null) return found;
  }
  return null;
}
