/** The contrast of one text of the widget with its background. WCAG AA requires at least 4.5. */
export interface Contrast {
  text: string;
  ratio: number;
  enough: boolean;
}

/**
 * Measures the contrast of a widget that is in the page, with your colors and the current color scheme. For
 * development and for tests in a real browser.
 */
export function contrastOf(widget: HTMLElement): Contrast[] {
  const card = widget.shadowRoot?.firstElementChild;
  const button = widget.shadowRoot?.querySelector('button');
  if (!card || !button) throw new Error('not an element of createWidget()');
  return [...card.querySelectorAll('p, button')].map((element) => {
    const background = element === button ? button : card;
    const ratio = ratioOf(
      luminanceOf(getComputedStyle(element).color),
      luminanceOf(getComputedStyle(background).backgroundColor),
    );
    return { text: (element as HTMLElement).innerText, ratio, enough: ratio >= 4.5 };
  });
}

/** Returns the contrast ratio of WCAG 2.2: (lighter + 0.05) / (darker + 0.05). */
function ratioOf(one: number, other: number): number {
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Returns a color's relative luminance. Paints the color to read it, because CSS has many notations for colors. */
function luminanceOf(color: string): number {
  const canvas = document.createElement('canvas').getContext('2d', { colorSpace: 'srgb' });
  if (!canvas) throw new Error('this browser has no 2D canvas');
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
