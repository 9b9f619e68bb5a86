// The colors that follow from a partner's accent. No dependencies. The formulas are also in
// packages/ui/src/tokens.css and packages/core/src/shared.css, because a page may set the accent in
// CSS; browser tests compare both with these.

/** The accent of partners that set none: teal, and a lighter one for dark pages. */
export const defaultAccent = { light: '#0f766e', dark: '#2dd4bf' } as const;

/** The backgrounds of tokens.css that accent colors appear on, from the palest to the darkest. */
export const grounds = {
  light: { surface: '#ffffff', soft: '#f9fafb', hover: '#f2f4f7' },
  dark: { surface: '#161b26', soft: '#111725', hover: '#1f2535' },
} as const;

export type Scheme = 'light' | 'dark';

/** Each is `#rrggbb`. */
export interface AccentColors {
  /** The fill of buttons and bars: at least 3:1 on the page. */
  accent: string;
  /** Text on the fill: black or white, at least 4.5:1. */
  onAccent: string;
  /** The fill under the pointer: at least 3:1 on the page, and 4.5:1 for the text on it. */
  hover: string;
  /** Links and selected borders: at least 4.5:1 on the page and on the tint. */
  ink: string;
  /** The focus ring: at least 3:1 on the page. */
  focus: string;
  /** The background of selected options. */
  tint: string;
  /** Errors and late payments: differs from the fill and the ink in every kind of color vision. */
  bad: string;
}

/**
 * The colors of states, as in tokens.css, for normal vision, protanopia, deuteranopia and tritanopia.
 * In each of them, `bad`, `good` and `warn` differ from each other, and `bad` from every accent, by at
 * least 5 in OKLab times 100, where about 2 can be seen. `badNextToAccent` replaces `bad` for accents that
 * are like it. `good` and `warn` may be like an accent: their icons and words tell them apart.
 */
export const stateColors = {
  light: { good: '#037647', warn: '#843300', bad: '#c23123', badNextToAccent: '#5a0002' },
  dark: { good: '#47cf87', warn: '#fcb027', bad: '#f4563c', badNextToAccent: '#ffbab4' },
} as const;

/**
 * The relative luminances that bound the derived colors. A pale accent is dimmed on light pages to
 * 3:1 (`fill`) or 4.5:1 (`ink`) against the darkest background it appears on; a dark one is
 * brightened on dark pages. `white`: up to this luminance of the background, white text has more contrast
 * than black text (4.58:1 at least).
 */
export const luminances = {
  light: { fill: 0.26, ink: 0.143 },
  dark: { fill: 0.2, ink: 0.3 },
  white: 0.179,
} as const;

/**
 * Derives the colors for light and dark pages from an accent, `#rrggbb`. The hue stays: an
 * accent without enough contrast only gets darker or lighter, and no more than needed. Grays that are
 * nearly white or black are inverted instead, because a gray button would look disabled.
 */
export function deriveAccent(accent: string): Record<Scheme, AccentColors> {
  const color = linearOf(accent);
  const { light, dark } = luminances;
  return {
    light: colorsOf('light', dim(color, light.fill), dim(color, light.ink)),
    dark: colorsOf('dark', brighten(color, dark.fill), brighten(color, dark.ink)),
  };
}

/** Returns the pages on which the accent itself has too little contrast, with the colors used instead. */
export function adjustedAccents(accent: string): { scheme: Scheme; used: string }[] {
  const derived = deriveAccent(accent);
  return (['light', 'dark'] as const)
    .map((scheme) => ({ scheme, used: derived[scheme].accent }))
    .filter(({ used }) => used !== accent.toLowerCase());
}

/** Returns WCAG's contrast of two colors, `#rrggbb`: 1 to 21. */
export function contrast(a: string, b: string): number {
  const [x, y] = [luminanceOf(linearOf(a)), luminanceOf(linearOf(b))];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

type Linear = readonly [r: number, g: number, b: number];

function colorsOf(scheme: Scheme, fill: Linear, ink: Linear): AccentColors {
  const accent = hexOf(fill);
  const y = luminanceOf(fill);
  const surface = grounds[scheme].surface;
  return {
    accent,
    onAccent: y <= luminances.white ? '#ffffff' : '#000000',
    hover: hexOf(shade(scheme, fill, y)),
    ink: hexOf(ink),
    focus: hexOf(ink),
    tint: mix(accent, surface, 0.1),
    bad: stateColors[scheme][isLikeError(scheme, fill) ? 'badNextToAccent' : 'bad'],
  };
}

/**
 * Returns whether an accent could be mistaken for the error color. Every kind of color vision sees
 * lightness, so an accent beyond a certain lightness is surely different. A cold accent is different too: it
 * is neither yellow nor very red. The limits come from a search, and a test proves them.
 */
function isLikeError(scheme: Scheme, color: Linear): boolean {
  const [l, a, b] = oklabOf(color);
  return scheme === 'light'
    ? l > 0.37 && (a > 0.155 || b > 0.009)
    : l < 0.731 && (a > 0.149 || b > 0.03);
}

/**
 * Returns the fill under the pointer. It is darker, which keeps the hue: a lighter red would be salmon. Where
 * black text would lose its contrast, it is lighter on light pages and only a little darker on dark ones.
 */
function shade(scheme: Scheme, color: Linear, y: number): Linear {
  if (scheme === 'dark') return scale(color, y < 0.22 ? 0.9 : 0.82);
  return scale(color, y > luminances.white && y < 0.22 ? 1.18 : 0.82);
}

/**
 * Darkens to a luminance. Scaling linear light keeps the hue, in OKLCH too, and stays in gamut. A pale
 * gray becomes nearly black, because a gray button would look disabled.
 */
function dim(color: Linear, most: number): Linear {
  const y = luminanceOf(color);
  const mostOfGray = y > 0.7 ? 0.03 + 0.77 * saturationOf(color) : 1;
  return scale(color, Math.min(1, Math.min(most, mostOfGray) / Math.max(y, smallest)));
}

/**
 * Brightens to a luminance: first by scaling, which keeps the saturation, then towards white. A gray
 * that is nearly black becomes nearly white.
 */
function brighten(color: Linear, least: number): Linear {
  const y = luminanceOf(color);
  const leastOfGray = y < 0.05 ? 0.8 - 2 * saturationOf(color) : 0;
  const wanted = Math.max(least, leastOfGray) / (y + smallest);
  const factor = Math.max(1, Math.min(wanted, 1 / (Math.max(...color) + smallest)));
  const [r, g, b] = color;
  const scaled = scale([r + smallest, g + smallest, b + smallest], factor);
  const reached = luminanceOf(scaled);
  return lighten(scaled, Math.max(0, (least - reached) / Math.max(1 - reached, smallest)));
}

/** Added to channels that are scaled, so that black can be brightened. Less than one byte shows. */
const smallest = 0.0001;

/** Returns 0 for gray, and 1 for a color without one of the primaries. */
function saturationOf(color: Linear): number {
  const most = Math.max(...color);
  return (most - Math.min(...color)) / Math.max(most, smallest);
}

function scale([r, g, b]: Linear, factor: number): Linear {
  return [r * factor, g * factor, b * factor];
}

function lighten([r, g, b]: Linear, part: number): Linear {
  return [r + (1 - r) * part, g + (1 - g) * part, b + (1 - b) * part];
}

function luminanceOf([r, g, b]: Linear): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function oklabOf([r, g, b]: Linear): [l: number, a: number, b: number] {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** As `color-mix(in srgb, …)`. */
function mix(a: string, b: string, part: number): string {
  const [x, y] = [bytesOf(a), bytesOf(b)];
  return hexOfBytes(x.map((value, i) => value * part + (y[i] as number) * (1 - part)));
}

function linearOf(hex: string): Linear {
  const [r = 0, g = 0, b = 0] = bytesOf(hex).map((byte) => {
    const value = byte / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return [r, g, b];
}

function hexOf(color: Linear): string {
  return hexOfBytes(
    color.map((value) => {
      const part = value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
      return part * 255;
    }),
  );
}

function bytesOf(hex: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
}

function hexOfBytes(bytes: number[]): string {
  const clipped = bytes.map((byte) => Math.round(Math.min(255, Math.max(0, byte))));
  return `#${clipped.map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
