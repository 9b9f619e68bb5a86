// The partner's brand: the colors that follow from its accent, and the values that may be set.
// No dependencies: the SDK, the experience and the service share this file. The formulas are also
// in packages/ui/src/tokens.css and packages/core/src/shared.css, because a page may set the accent
// in CSS; a browser test compares all three.

/** The accent without a rebrand: teal, and a lighter one for dark pages. */
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
}

/**
 * The relative luminances that bound the derived colors. A pale accent is dimmed on light pages to
 * 3:1 (`fill`) or 4.5:1 (`ink`) against the darkest background it appears on; a dark one is
 * brightened on dark pages. `white`: up to it white has more contrast than black (4.58:1 at least).
 */
export const luminances = {
  light: { fill: 0.26, ink: 0.143 },
  dark: { fill: 0.2, ink: 0.3 },
  white: 0.179,
} as const;

/**
 * The colors for light and dark pages that follow from an accent, `#rrggbb`. The hue stays: an
 * accent without enough contrast only gets darker or lighter, and no more than needed.
 */
export function deriveAccent(accent: string): Record<Scheme, AccentColors> {
  const color = linearOf(accent);
  const { light, dark } = luminances;
  return {
    light: colorsOf('light', dim(color, light.fill), dim(color, light.ink)),
    dark: colorsOf('dark', brighten(color, dark.fill), brighten(color, dark.ink)),
  };
}

/** The pages on which the accent itself has too little contrast, with the colors used instead. */
export function adjustedAccents(accent: string): { scheme: Scheme; used: string }[] {
  const derived = deriveAccent(accent);
  return (['light', 'dark'] as const)
    .map((scheme) => ({ scheme, used: derived[scheme].accent }))
    .filter(({ used }) => used !== accent.toLowerCase());
}

/** WCAG's contrast of two colors, `#rrggbb`: 1 to 21. */
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
    hover: hexOf(scheme === 'dark' ? lighten(fill, 0.2) : shade(fill, y)),
    ink: hexOf(ink),
    focus: hexOf(ink),
    tint: mix(accent, surface, 0.1),
  };
}

/** On light pages: darker, but lighter where black text would lose its contrast. */
function shade(color: Linear, y: number): Linear {
  return scale(color, y > luminances.white && y < 0.22 ? 1.18 : 0.82);
}

/** Darkens to a luminance. Scaling linear light keeps the hue, in OKLCH too, and stays in gamut. */
function dim(color: Linear, most: number): Linear {
  return scale(color, Math.min(1, most / Math.max(luminanceOf(color), smallest)));
}

/** Brightens to a luminance: first by scaling, which keeps the saturation, then towards white. */
function brighten(color: Linear, least: number): Linear {
  const y = luminanceOf(color);
  const factor = Math.min(least / Math.max(y, smallest), 1 / Math.max(...color, smallest));
  const scaled = scale(color, Math.max(1, factor));
  const reached = luminanceOf(scaled);
  return lighten(scaled, Math.max(0, (least - reached) / Math.max(1 - reached, smallest)));
}

// Black has no hue to scale.
const smallest = 0.0001;

function scale([r, g, b]: Linear, factor: number): Linear {
  return [r * factor, g * factor, b * factor];
}

function lighten([r, g, b]: Linear, part: number): Linear {
  return [r + (1 - r) * part, g + (1 - g) * part, b + (1 - b) * part];
}

function luminanceOf([r, g, b]: Linear): number {
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
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

export const accentPattern = /^#[0-9a-f]{6}$/i;

/** In px. */
export const largestRadius = 24;

/**
 * The fonts that can be chosen by name. Each is a stack of fonts that systems bring along, so
 * nothing is downloaded.
 */
export const fontStacks = {
  system: 'system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif',
  grotesque:
    'Inter, Roboto, "Helvetica Neue", "Arial Nova", "Nimbus Sans", Helvetica, Arial, sans-serif',
  humanist: 'Seravek, "Gill Sans Nova", Ubuntu, Calibri, "DejaVu Sans", "Open Sans", sans-serif',
  geometric: 'Avenir, "Avenir Next", Montserrat, Corbel, "URW Gothic", source-sans-pro, sans-serif',
  rounded:
    'ui-rounded, "Hiragino Maru Gothic ProN", Quicksand, Comfortaa, Manjari, "Arial Rounded MT Bold", sans-serif',
  serif: 'Charter, "Bitstream Charter", "Sitka Text", Cambria, Georgia, serif',
} as const;

export type FontName = keyof typeof fontStacks;

export const fontNames = Object.keys(fontStacks) as [FontName, ...FontName[]];

/** Families of systems besides those in the stacks, which a page may name. */
const moreFamilies =
  'Tahoma, Verdana, "Trebuchet MS", "Times New Roman", Times, "Segoe UI Variable", "SF Pro Text", "SF Pro Display", BlinkMacSystemFont, Lato, "Noto Sans", "Source Sans Pro", "Source Sans 3", Poppins, Nunito, "Work Sans", "DM Sans", "IBM Plex Sans", Oxygen, Cantarell, "Fira Sans", "Liberation Sans", "Noto Serif", ui-sans-serif, ui-serif, sans-serif';

/**
 * The known families of a CSS font list, in their order; null if there is none. Everything else is
 * dropped, so the result holds names that we wrote and nothing that a page sent.
 */
export function knownFonts(list: string): string | null {
  const known = new Map(
    familiesOf([...Object.values(fontStacks), moreFamilies].join(', ')).map((name) => [
      name.toLowerCase(),
      name,
    ]),
  );
  const found = familiesOf(list.slice(0, 1000)).flatMap(
    (name) => known.get(name.toLowerCase()) ?? [],
  );
  if (found.length === 0) return null;
  return [...new Set(found)].map((name) => (name.includes(' ') ? `"${name}"` : name)).join(', ');
}

function familiesOf(list: string): string[] {
  return list.split(',').map((name) => name.trim().replace(/^(["'])(.*)\1$/, '$2'));
}

/** The appearance that a partner's page sets for the open experience. */
export interface PageAppearance {
  /** `#rrggbb`. */
  accent: string | null;
  /** In px, 0 to 24. */
  radius: number | null;
  /** A CSS font list. */
  font: string | null;
  /** Whether the page chose the theme; otherwise the partner's stored theme comes first. */
  hasTheme: boolean;
}

/**
 * Reads the appearance in a message from a partner's page. The page may send anything: what is not
 * a color, a radius or a known font is null.
 */
export function readPageAppearance(given: unknown): PageAppearance {
  const { accent, radius, font, hasTheme } = (
    typeof given === 'object' && given !== null ? given : {}
  ) as Record<string, unknown>;
  return {
    accent: typeof accent === 'string' && accentPattern.test(accent) ? accent.toLowerCase() : null,
    radius:
      typeof radius === 'number' && radius >= 0 && radius <= largestRadius
        ? Math.round(radius)
        : null,
    font: typeof font === 'string' ? knownFonts(font) : null,
    hasTheme: hasTheme === true,
  };
}

/** The partner's stored appearance, as the experience's page and the preview show it. */
export interface StoredAppearance {
  accent: string | null;
  radius: number | null;
  /** A name of `fontStacks`. */
  font: FontName | null;
  theme: 'light' | 'dark' | 'auto';
  logo: { url: string; width: number; height: number } | null;
  /** An uploaded font. It comes before `font`. */
  font_file: { url: string } | null;
}
