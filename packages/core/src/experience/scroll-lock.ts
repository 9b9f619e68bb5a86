import { createSheet } from '../dom.ts';

/**
 * Stops the page behind the dialog from scrolling, without shifting it. Each lock adds its own style
 * sheet, so several dialogs, even of several copies of the SDK, never undo each other's lock.
 * @returns a function that unlocks
 */
export function lockScroll(): () => void {
  // Keep the scroll bar's space where there is one, and add none where there is not.
  const hasScrollBar = innerWidth > document.documentElement.clientWidth;
  const gutter = hasScrollBar ? 'stable' : 'auto';
  const sheet = createSheet(
    `:root { overflow: hidden !important; scrollbar-gutter: ${gutter} !important }`,
  );
  document.adoptedStyleSheets.push(sheet);
  return () => {
    // The page may have copied a list that contains this sheet, and may set it later.
    sheet.disabled = true;
    const { adoptedStyleSheets } = document;
    const index = adoptedStyleSheets.indexOf(sheet);
    // The page may have replaced the list.
    if (index >= 0) adoptedStyleSheets.splice(index, 1);
  };
}
