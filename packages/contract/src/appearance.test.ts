import fc from 'fast-check';
import { expect, test } from 'vitest';
import { adjustedAccents, contrast, defaultAccent, deriveAccent, grounds } from './accent.ts';
import { accentPattern, fontStacks, knownFonts, readPageAppearance } from './appearance.ts';

const anyColor = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

/** Every derived color and what it must be readable on, with the least contrast. */
function tooLow(accent: string): string[] {
  const derived = deriveAccent(accent);
  return (['light', 'dark'] as const).flatMap((scheme) => {
    const { accent: fill, onAccent, hover, ink, focus, tint } = derived[scheme];
    const pages = Object.values(grounds[scheme]);
    const pairs = [
      [4.5, fill, [onAccent]],
      [4.5, hover, [onAccent]],
      [3, fill, pages],
      [3, hover, pages],
      [4.5, ink, [...pages, tint]],
      [3, focus, [...pages, tint]],
      // The text of a selected option, --svc-text in tokens.css.
      [4.5, scheme === 'light' ? '#344054' : '#cecfd2', [tint]],
    ] as const;
    return pairs.flatMap(([least, color, others]) =>
      others
        .filter((other) => contrast(color, other) < least)
        .map((other) => `${accent} ${scheme}: ${color} on ${other} is ${contrast(color, other)}`),
    );
  });
}

test('every accent gives colors with enough contrast, on light and dark pages', () => {
  // A grid over the whole color space with its corners, and random colors between.
  const steps = Array.from({ length: 18 }, (_, index) => index * 15);
  const hex = (byte: number) => byte.toString(16).padStart(2, '0');
  for (const r of steps) {
    for (const g of steps) {
      for (const b of steps) expect(tooLow(`#${hex(r)}${hex(g)}${hex(b)}`)).toEqual([]);
    }
  }
  fc.assert(
    fc.property(anyColor, (accent) => {
      expect(tooLow(accent)).toEqual([]);
    }),
    { numRuns: 3000 },
  );
});

test('an adjusted accent keeps its hue', () => {
  fc.assert(
    fc.property(anyColor, (accent) => {
      for (const { used } of adjustedAccents(accent)) {
        const [before, after] = [hueOf(accent), hueOf(used)];
        if (before.chroma < 0.1 || after.chroma < 0.1) return;
        const turn = Math.abs(((after.hue - before.hue + 540) % 360) - 180);
        // The largest turn over the color space is 14°, from the darkest blue to a light one.
        expect(turn, `${accent} ${used}`).toBeLessThan(15);
      }
    }),
  );
});

test('a red button stays red under the pointer', () => {
  for (const colors of Object.values(deriveAccent('#ff0000'))) {
    // No green and no blue, which would make it pink.
    expect(colors.hover).toMatch(/^#[0-9a-f]{2}0000$/);
  }
  expect(deriveAccent('#ff0000').dark.hover).toBe('#f30000');
});

test('an accent with enough contrast is used as it is', () => {
  expect(deriveAccent(defaultAccent.light).light.accent).toBe(defaultAccent.light);
  expect(deriveAccent(defaultAccent.dark).dark.accent).toBe(defaultAccent.dark);
  for (const accent of ['#1d4ed8', '#b42318', '#000000', '#8a3b12']) {
    expect(adjustedAccents(accent).map(({ scheme }) => scheme)).not.toContain('light');
  }
  for (const accent of ['#fde047', '#ffffff', '#f97316']) {
    expect(adjustedAccents(accent).map(({ scheme }) => scheme)).not.toContain('dark');
  }
});

test('yellow and white are dimmed on light pages, navy and near black brightened on dark ones', () => {
  const adjusted = (accent: string) => adjustedAccents(accent).map(({ scheme }) => scheme);
  expect(adjusted('#fde047')).toEqual(['light']);
  expect(adjusted('#ffffff')).toEqual(['light']);
  expect(adjusted('#0b1f4b')).toEqual(['dark']);
  expect(adjusted('#0a0a0a')).toEqual(['dark']);
});

test('a nearly black accent is nearly white on dark pages, and a nearly white one black on light ones', () => {
  expect(contrast(deriveAccent('#000000').dark.accent, grounds.dark.surface)).toBeGreaterThan(12);
  expect(contrast(deriveAccent('#0a0a0a').dark.ink, grounds.dark.surface)).toBeGreaterThan(12);
  expect(contrast(deriveAccent('#fefefe').light.accent, grounds.light.surface)).toBeGreaterThan(12);
});

test('only known fonts are kept of a font list', () => {
  expect(knownFonts('"Acme Sans", inter, system-ui')).toBe('Inter, system-ui');
  expect(knownFonts("'segoe ui'")).toBe('"Segoe UI"');
  expect(knownFonts('Acme, url(https://example.com/x)')).toBeNull();
  expect(knownFonts(`Arial; } body { background: url("//example.com") }, Georgia`)).toBe('Georgia');
  for (const stack of Object.values(fontStacks)) expect(knownFonts(stack)).toBe(stack);
});

test('what a page sends is a color, a radius, known fonts, or nothing', () => {
  const valid = { accent: '#1D4ED8', radius: 4, font: 'Georgia, serif', hasTheme: true };
  expect(readPageAppearance(valid)).toEqual({ ...valid, accent: '#1d4ed8' });
  fc.assert(
    fc.property(
      fc.anything(),
      fc.anything(),
      fc.oneof(fc.string(), fc.anything()),
      (accent, radius, font) => {
        const read = readPageAppearance({ accent, radius, font });
        expect(read.accent === null || accentPattern.test(read.accent)).toBe(true);
        expect(read.radius === null || (read.radius >= 0 && read.radius <= 24)).toBe(true);
        expect(read.font === null || /^[\w\s",-]+$/.test(read.font)).toBe(true);
      },
    ),
  );
  for (const hostile of [null, 1, 'x', [], { accent: 'red' }, { accent: 'url(//x)' }]) {
    expect(readPageAppearance(hostile)).toMatchObject({ accent: null, radius: null, font: null });
  }
  for (const radius of [-1, 25, Number.NaN, Number.POSITIVE_INFINITY, '8px']) {
    expect(readPageAppearance({ radius }).radius).toBeNull();
  }
});

/** Hue in degrees and chroma in OKLCH. */
function hueOf(hex: string): { hue: number; chroma: number } {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const x = 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s;
  const y = 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s;
  return { hue: (Math.atan2(y, x) * 180) / Math.PI, chroma: Math.hypot(x, y) };
}
