/** Dialogs and menus, which open over the page and do not make its content longer. */
const overlays = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** Room below an overlay, for its shadow and the frame's edge. */
const margin = 24;

/**
 * Reports the height that the content needs, at each change. An open dialog or menu needs its own height,
 * too: it is not a part of the content, and would be cut off in the frame of a short view.
 */
export function reportHeight(root: HTMLElement, report: (height: number) => void): void {
  let reported = 0;
  const measure = () => {
    const open = [...document.querySelectorAll<HTMLElement>(overlays)];
    const heights = open.map((overlay) => {
      const { top, height } = overlay.getBoundingClientRect();
      // A dialog is in the middle of the frame; a menu is where its button is.
      const isCentered = overlay.getAttribute('role')?.endsWith('dialog');
      const isFloating = overlay.closest('.floating, .menu') !== null;
      const from = isCentered && !isFloating ? margin : top + scrollY;
      return from + height + margin;
    });
    const height = Math.ceil(Math.max(root.offsetHeight, ...heights));
    if (height === reported) return;
    reported = height;
    report(height);
  };
  new ResizeObserver(measure).observe(root);
  new MutationObserver(() => requestAnimationFrame(measure)).observe(document.body, {
    childList: true,
    subtree: true,
  });
}
