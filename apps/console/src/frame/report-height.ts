/** A selector for dialogs and menus, which open over the page and do not make its content taller. */
const overlays = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** The space below an overlay, in pixels, for its shadow and the frame's edge. */
const margin = 24;

/**
 * Calls `report` with the height in pixels that the content needs, whenever it changes. An open dialog or menu
 * counts as well: it is not part of the content, and the frame of a short view would cut it off.
 */
export function reportHeight(root: HTMLElement, report: (height: number) => void): void {
  let reported = 0;
  const measure = () => {
    const open = [...document.querySelectorAll<HTMLElement>(overlays)];
    const heights = open.map((overlay) => {
      const { top, height } = overlay.getBoundingClientRect();
      // A dialog is centered in the frame. A menu is next to its button.
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
