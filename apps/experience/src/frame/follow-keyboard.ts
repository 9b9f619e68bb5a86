/** A page up to this height is short. In em of the browser's text size, so that large text counts too. */
const shortHeight = 30;

/**
 * Keeps the focused field and the button of the footer in view while an on-screen keyboard is open. Android and
 * the SDK's dialog make the page smaller. iOS only covers a page that fills the window, and then only the visual
 * viewport gets smaller: layout.css gets the heights that are hidden above and below it.
 */
export function followKeyboard(): void {
  const root = document.documentElement;
  const viewport = window.visualViewport;
  let hiddenAbove = 0;
  let hiddenBelow = 0;

  function follow(): void {
    // Pinch zoom makes the visual viewport smaller, too, but covers nothing.
    const isZoomed = viewport === null || viewport.scale !== 1;
    const { height, offsetTop } = isZoomed ? { height: innerHeight, offsetTop: 0 } : viewport;
    const below = Math.max(0, innerHeight - height - offsetTop);
    // Only a change is written, because the browser recomputes the styles of the whole page for each write.
    if (offsetTop !== hiddenAbove) root.style.setProperty('--hidden-above', `${offsetTop}px`);
    if (below !== hiddenBelow) root.style.setProperty('--hidden-below', `${below}px`);
    hiddenAbove = offsetTop;
    hiddenBelow = below;
    const limit = shortHeight * Number.parseFloat(getComputedStyle(root).fontSize);
    // In a closed dialog the page has no height, and gets its styles when the dialog opens.
    root.toggleAttribute('data-short', height > 0 && height <= limit);
  }

  function showField(): void {
    const field = document.activeElement;
    if (field instanceof HTMLInputElement) field.scrollIntoView({ block: 'center' });
  }

  follow();
  addEventListener('resize', () => {
    follow();
    showField();
  });
  viewport?.addEventListener('resize', () => {
    const before = hiddenBelow;
    follow();
    if (hiddenBelow > before) showField();
  });
  viewport?.addEventListener('scroll', follow);
}
