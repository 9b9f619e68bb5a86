import { deriveAccent } from '@svc/contract/accent';
import type { StoredAppearance } from '@svc/contract/appearance';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { violationsOf } from '../../../scripts/test/axe.ts';
import { tooWide } from './fixture/layout-faults.ts';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';
import { approved, stateOf } from './fixture/states.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

test.for(['#fde047', '#ffffff', '#000000', '#777777', '#ff0000', '#0b1f4b'])(
  'a rebrand to %s keeps every text readable, light and dark',
  async (accent) => {
    const opened = await stage.open({ state: stateOf(approved), theme: 'light' });
    await opened.frame.locator('.option--tile').first().click();
    for (const theme of ['light', 'dark']) {
      await opened.frame.evaluate(
        ([theme, accent]) => {
          const { style, dataset } = document.documentElement;
          dataset.theme = theme;
          dataset.accent = '';
          style.setProperty('--svc-brand-accent', accent);
          style.setProperty('--svc-brand-accent-dark', accent);
        },
        [theme, accent] as const,
      );
      const violations = await violationsOf(opened.frame, ['color-contrast', 'link-in-text-block']);
      expect([theme, violations]).toEqual([theme, []]);
    }
    await opened.close();
  },
);

/** The colors that the style sheet derives, as `#rrggbb`. */
async function derivedIn({ frame }: Opened, accent: string, theme: string) {
  return frame.evaluate(
    ([accent, theme]) => {
      const root = document.documentElement;
      root.dataset.theme = theme;
      root.dataset.accent = '';
      root.style.setProperty('--svc-brand-accent', accent);
      const probe = document.body.appendChild(document.createElement('i'));
      const colorOf = (token: string) => {
        probe.style.color = `color-mix(in srgb, var(--svc-${token}), var(--svc-${token}))`;
        const parts = getComputedStyle(probe).color.match(/[\d.e-]+/g) ?? [];
        return parts.slice(0, 3).map((part) => Math.round(Math.min(1, Number(part)) * 255));
      };
      const colors = {
        accent: colorOf('accent'),
        onAccent: colorOf('on-accent'),
        hover: colorOf('accent-hover'),
        ink: colorOf('accent-ink'),
        focus: colorOf('focus'),
        tint: colorOf('accent-soft'),
        bad: colorOf('bad'),
      };
      probe.remove();
      return colors;
    },
    [accent, theme] as const,
  );
}

test('the style sheet derives the colors that are proven for the whole color space', async () => {
  const opened = await stage.open({ state: stateOf(approved) });
  const steps = ['00', '55', '99', 'ff'];
  const grid = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => `#${r}${g}${b}`)));
  for (const accent of [...grid, '#fde047', '#0a0a0a', '#0b1f4b', '#0f766e', '#777777']) {
    for (const theme of ['light', 'dark'] as const) {
      const shown = await derivedIn(opened, accent, theme);
      const proven = deriveAccent(accent)[theme];
      for (const [name, hex] of Object.entries(proven)) {
        const bytes = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16));
        const differences = shown[name as keyof typeof shown].map((byte, at) =>
          Math.abs(byte - (bytes[at] ?? 0)),
        );
        expect([accent, theme, name, Math.max(...differences) <= 1]).toEqual([
          accent,
          theme,
          name,
          true,
        ]);
      }
    }
  }
  await opened.close();
});

const stored: StoredAppearance = {
  accent: '#8a3b12',
  radius: 2,
  font: 'serif',
  theme: 'dark',
  logo: { url: '/brand/elm-residents/logo.png', width: 96, height: 32 },
  font_file: null,
};

/** The brand as rendered in the frame: theme, colors and logo. */
function brandOf({ frame }: Opened) {
  return frame.evaluate(() => {
    const { style, dataset } = document.documentElement;
    const logo = document.querySelector<HTMLImageElement>('.partner-logo');
    const properties = ['accent', 'radius', 'font'].map((name) =>
      style.getPropertyValue(`--svc-brand-${name}`),
    );
    return {
      properties,
      theme: dataset.theme ?? 'auto',
      name: document.querySelector('.bar__name')?.textContent,
      logo: logo === null ? null : logo.naturalWidth,
      lender: document.querySelector('.help')?.textContent?.includes('Svc Payments'),
    };
  });
}

test('if images are blocked and the font is missing, the name and every text are there', async () => {
  stage.service.appearance = { ...stored, font_file: { url: '/brand/elm-residents/font.woff2' } };
  stage.service.missing = '/brand/';
  const opened = await stage.open({ state: stateOf() });
  await opened.frame.waitForFunction(() => document.fonts.status === 'loaded');
  const logo = opened.frame.locator('.partner-logo');
  await expect.poll(() => logo.evaluate((it: HTMLImageElement) => it.complete)).toBe(true);
  await opened.frame.getByText('Elm Residents').waitFor();
  expect(await tooWide(opened.frame)).toEqual([]);
  const title = opened.frame.getByRole('heading', { level: 1 });
  expect(await title.evaluate((it) => getComputedStyle(it).fontFamily)).toMatch(/^.+, Charter/);
  const box = await title.boundingBox();
  expect(box?.height).toBeGreaterThan(20);
  await opened.close();
  stage.service.missing = null;
  stage.service.appearance = null;
});

test('the stored brand is the base, and the page’s comes on top of it', async () => {
  stage.service.appearance = stored;
  const opened = await stage.open({ state: stateOf(), theme: 'light' });
  const warnings: string[] = [];
  opened.page.on('console', (line) => warnings.push(line.text()));
  const base = {
    properties: ['#8a3b12', '2px', expect.stringMatching(/^Charter/)],
    theme: 'dark',
    name: 'Elm Residents',
    logo: 96,
    lender: true,
  };
  // The logo may still be loading.
  await expect.poll(() => brandOf(opened)).toEqual(base);
  const message = { type: 'appearance', theme: 'light', locale: 'en-US' } as const;
  const appearance = { accent: '#FDE047', radius: 12, font: 'Acme, Georgia', hasTheme: true };
  await opened.send({ ...message, appearance });
  const warned = () => warnings.some((text) => text.includes('#fde047'));
  await expect.poll(warned).toBe(true);
  expect(await brandOf(opened)).toEqual({
    ...base,
    properties: ['#fde047', '12px', 'Georgia'],
    theme: 'light',
  });
  // A page is not trusted: what is no color, radius or known font leaves the stored brand.
  const hostile = {
    accent: 'url(https://evil.example/x)',
    radius: 4000,
    font: '"}body{background:url(//evil.example)',
    hasTheme: 'yes',
  };
  await opened.send({ ...message, appearance: hostile as never });
  await expect.poll(() => brandOf(opened)).toEqual(base);
  await opened.close();
  stage.service.appearance = null;
});
