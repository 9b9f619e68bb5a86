import { sheetOf } from '../element.ts';

/**
 * Stops the page behind a dialog from scrolling, without moving it by a pixel. A style sheet of its
 * own, so that several dialogs, even of several copies of the SDK, never undo each other.
 */
export function lockScroll(): () => void {
  // A page without a scroll bar must not get room for one.
  const gutter = innerWidth > document.documentElement.clientWidth ? 'stable' : 'auto';
  const sheet = sheetOf(`:root{overflow:hidden!important;scrollbar-gutter:${gutter}!important}`);
  document.adoptedStyleSheets.push(sheet);
  return () => {
    const { adoptedStyleSheets } = document;
    adoptedStyleSheets.splice(adoptedStyleSheets.indexOf(sheet), 1);
  };
}
