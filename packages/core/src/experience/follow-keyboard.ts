/**
 * Keeps the dialog in the part of the screen that an on-screen keyboard leaves free. Browsers shrink
 * the visual viewport for it, which no CSS unit follows. Pinch zoom shrinks it too, and is ignored.
 * @returns a function that stops it
 */
export function followKeyboard(dialog: HTMLElement): () => void {
  const { style } = dialog;
  const viewport = window.visualViewport;
  const follow = () => {
    if (viewport?.scale !== 1) return;
    const { height, offsetTop } = viewport;
    const isCovered = innerHeight - height > 1;
    // The page may zoom its root element. The viewport's pixels are not zoomed, the dialog's are.
    const zoom = dialog.currentCSSZoom ?? 1;
    style.setProperty('--height', isCovered ? `${height / zoom}px` : '');
    style.setProperty('--top', isCovered ? `${offsetTop / zoom}px` : '');
  };
  follow();
  viewport?.addEventListener('resize', follow);
  viewport?.addEventListener('scroll', follow);
  return () => {
    viewport?.removeEventListener('resize', follow);
    viewport?.removeEventListener('scroll', follow);
  };
}
