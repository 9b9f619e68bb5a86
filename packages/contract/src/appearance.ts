// The values of a partner's brand that may be set. No dependencies: the SDK, the experience and the
// service share this file.

export const accentPattern = /^#[0-9a-f]{6}$/i;

/** The largest corner radius, in px. */
export const largestRadius = 24;

/**
 * The fonts that can be chosen by name. Each is a stack of fonts that come with operating systems, so
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

/** Other system font families that a page may name, in addition to those in the stacks. */
const moreFamilies =
  'Tahoma, Verdana, "Trebuchet MS", "Times New Roman", Times, "Segoe UI Variable", "SF Pro Text", "SF Pro Display", BlinkMacSystemFont, Lato, "Noto Sans", "Source Sans Pro", "Source Sans 3", Poppins, Nunito, "Work Sans", "DM Sans", "IBM Plex Sans", Oxygen, Cantarell, "Fira Sans", "Liberation Sans", "Noto Serif", ui-sans-serif, ui-serif, sans-serif';

/**
 * Returns the known families of a CSS font list, in their order; null if there is none. Everything else is
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
  /** True if the page chose the theme; otherwise the partner's stored theme comes first. */
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
