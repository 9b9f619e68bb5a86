import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  adjustedAccents,
  contrast,
  defaultAccent,
  deriveAccent,
  grounds,
  stateColors,
} from './accent.ts';
import { accentPattern, fontStacks, knownFonts, readPageAppearance } from './appearance.ts';

const anyColor = fc
  .integer({ min: 0, max: 0xffffff })
  .map((value) => `#${value.toString(16).padStart(6, '0')}`);

/** Returns a message for each derived color that has too little contrast with a color next to it. */
function lowContrasts(accent: string): string[] {
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
      for (const b of steps) expect(lowContrasts(`#${hex(r)}${hex(g)}${hex(b)}`)).toEqual([]);
    }
  }
  fc.assert(
    fc.property(anyColor, (accent) => {
      expect(lowContrasts(accent)).toEqual([]);
    }),
    { numRuns: 3000 },
  );
});

/** The grid of accents that the tests below look at, with the corners of the color space. */
const accentGrid = (() => {
  const bytes = Array.from({ length: 16 }, (_, index) => index * 17);
  const hex = (byte: number) => byte.toString(16).padStart(2, '0');
  return bytes.flatMap((r) =>
    bytes.flatMap((g) => bytes.map((b) => `#${hex(r)}${hex(g)}${hex(b)}`)),
  );
})();

/**
 * Matrices for linear red, green and blue, from Machado, Oliveira and Fernandes, "A Physiologically-based
 * Model for Simulation of Color Vision Deficiency" (2009), for a complete deficiency.
 */
const visions = {
  normal: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [
    0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998,
  ],
  deuteranopia: [
    0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881,
  ],
  tritanopia: [
    1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039,
  ],
};

/** A cache of how each kind of vision sees a color, in OKLab. */
const seenAs = new Map<string, number[][]>();
function seen(hex: string): number[][] {
  const known = seenAs.get(hex);
  if (known) return known;
  const linear = linearOf(hex);
  const colors = Object.values(visions).map((matrix) =>
    oklabOf(
      [0, 3, 6].map((row) => {
        const sum = linear.reduce((all, value, at) => all + value * (matrix[row + at] ?? 0), 0);
        return Math.min(1, Math.max(0, sum));
      }),
    ),
  );
  seenAs.set(hex, colors);
  return colors;
}

/** Returns the smallest difference of two colors in any kind of vision, in OKLab times 100. About 2 is visible. */
function leastDifference(one: string, other: string): number {
  const [a, b] = [seen(one), seen(other)];
  const differences = a.map((color, kind) =>
    Math.hypot(...color.map((value, at) => value - (b[kind]?.[at] ?? 0))),
  );
  return 100 * Math.min(...differences);
}

test('errors, warnings and successes differ in every kind of color vision, and can be read', () => {
  for (const scheme of ['light', 'dark'] as const) {
    const { good, warn, bad, badNextToAccent } = stateColors[scheme];
    const ink = scheme === 'light' ? '#101828' : '#f5f6f7';
    for (const [one, other] of [
      [bad, good],
      [bad, warn],
      [bad, ink],
      [badNextToAccent, good],
      [badNextToAccent, warn],
      [badNextToAccent, ink],
      [good, warn],
    ] as const) {
      expect(leastDifference(one, other), `${scheme} ${one} ${other}`).toBeGreaterThan(5);
    }
    for (const color of [good, warn, bad, badNextToAccent]) {
      for (const page of Object.values(grounds[scheme])) {
        expect(contrast(color, page), `${color} on ${page}`).toBeGreaterThan(4.5);
      }
    }
  }
});

test('an error differs from every accent and from a selection in every kind of color vision', () => {
  const close = (accent: string) => {
    const derived = deriveAccent(accent);
    return (['light', 'dark'] as const).flatMap((scheme) => {
      const { bad, accent: fill, ink } = derived[scheme];
      return [fill, ink]
        .filter((color) => leastDifference(bad, color) < 5)
        .map((color) => `${accent} ${scheme}: ${bad} and ${color}`);
    });
  };
  expect(accentGrid.flatMap(close)).toEqual([]);
  fc.assert(
    fc.property(anyColor, (accent) => {
      expect(close(accent)).toEqual([]);
    }),
    { numRuns: 2000 },
  );
  for (const scheme of ['light', 'dark'] as const) {
    const { bad, badNextToAccent } = stateColors[scheme];
    expect(deriveAccent('#d92d20')[scheme].bad).toBe(badNextToAccent);
    expect(deriveAccent(defaultAccent[scheme])[scheme].bad).toBe(bad);
  }
});

test('the style sheet has the same state colors', () => {
  const tokens = readFileSync(new URL('../../ui/src/tokens.css', import.meta.url), 'utf8');
  for (const name of ['good', 'warn', 'bad'] as const) {
    const { light, dark } = stateColors;
    expect(tokens).toContain(`--svc-${name}: light-dark(${light[name]}, ${dark[name]});`);
  }
});

test('the style sheet has the colors of the default accent, which it does not derive', () => {
  const tokens = readFileSync(new URL('../../ui/src/tokens.css', import.meta.url), 'utf8');
  const { light } = deriveAccent(defaultAccent.light);
  const { dark } = deriveAccent(defaultAccent.dark);
  for (const [token, name] of [
    ['accent', 'accent'],
    ['accent-hover', 'hover'],
    ['on-accent', 'onAccent'],
  ] as const) {
    expect(tokens).toContain(`--svc-${token}: light-dark(${light[name]}, ${dark[name]});`);
  }
  expect([light.ink, dark.ink]).toEqual([light.accent, dark.accent]);
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

/** Returns the hue, in degrees, and the chroma of a color in OKLCH. */
function hueOf(hex: string): { hue: number; chroma: number } {
  const [, x = 0, y = 0] = oklabOf(linearOf(hex));
  return { hue: (Math.atan2(y, x) * 180) / Math.PI, chroma: Math.hypot(x, y) };
}

function linearOf(hex: string): number[] {
  return [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
}

function oklabOf([r = 0, g = 0, b = 0]: number[]): number[] {
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}
