/**
 * Contact sheets of the widget in every state, size, theme and language, and pictures of the dialog
 * around the frame: `node --conditions=source --import tsx packages/core/test/screens.ts` writes
 * .screens/widget/. Arguments select the sheets whose name contains one of them.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { locales, widgetSessionOf } from '@svc/contract';
import { es } from '../src/locales/es.ts';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';

const folder = fileURLToPath(new URL('../../../.screens/widget/', import.meta.url));
const sizes = [
  [280, 250],
  [320, 250],
  [390, 260],
  [560, 250],
  [760, 260],
  [900, 500],
  [1200, 250],
  [1200, 400],
  [320, 480],
] as const;
const modes = ['light', 'dark', 'forced', 'text-200'] as const;
type Mode = (typeof modes)[number];

const day = (due_on: string, state: 'paid' | 'processing' | 'due' | 'failed' | 'past_due') => ({
  due_on,
  state,
});
const planned = [
  day('2026-02-01', 'paid'),
  day('2026-02-09', 'paid'),
  day('2026-02-17', 'due'),
  day('2026-02-25', 'due'),
];
const late = [
  day('2026-02-01', 'paid'),
  day('2026-02-09', 'past_due'),
  day('2026-02-17', 'due'),
  day('2026-02-25', 'due'),
];

interface Scene {
  name: string;
  session: ReturnType<typeof widgetSessionOf>;
  settings?: object;
}

const scenes: Scene[] = [
  { name: 'new', session: widgetSessionOf('new') },
  {
    name: 'hoa',
    session: widgetSessionOf('can_split'),
    settings: { productVariant: 'hoa', environment: 'production', balance: 38_000 },
  },
  { name: 'too early', session: widgetSessionOf('too_early', null, '2026-01-25') },
  { name: 'applied', session: widgetSessionOf('applied') },
  { name: 'in review', session: widgetSessionOf('in_review') },
  { name: 'approved', session: widgetSessionOf('approved') },
  { name: 'plan', session: widgetSessionOf('has_plan', '2026-02-17', null, planned) },
  {
    name: 'plan, 2 payments',
    session: widgetSessionOf('has_plan', '2026-02-17', null, [
      day('2026-02-01', 'processing'),
      day('2026-02-17', 'due'),
    ]),
    settings: { balance: 0 },
  },
  {
    name: 'plan, moved and credited',
    session: {
      ...widgetSessionOf('has_plan', '2026-02-17', null, [
        ...planned.slice(0, 3),
        { ...day('2026-03-05', 'due'), moved: true as const },
      ]),
      credited_on: ['2026-03-09'],
    },
  },
  {
    name: 'plan, next moved',
    session: widgetSessionOf('has_plan', '2026-02-20', null, [
      ...planned.slice(0, 2),
      { ...day('2026-02-20', 'due'), moved: true as const },
      ...planned.slice(3),
    ]),
  },
  { name: 'plan, old service', session: widgetSessionOf('has_plan', '2026-02-17') },
  { name: 'past due', session: widgetSessionOf('past_due', '2026-02-09', null, late) },
  {
    name: 'starting',
    session: widgetSessionOf('starting', null, null, [
      day('2026-02-01', 'processing'),
      ...planned.slice(2),
    ]),
  },
  { name: 'starting, old service', session: widgetSessionOf('starting') },
  {
    name: 'six payments',
    session: widgetSessionOf('has_plan', '2026-02-25', null, [
      ...planned.slice(0, 2),
      day('2026-02-17', 'processing'),
      day('2026-02-25', 'due'),
      day('2026-03-05', 'due'),
      day('2026-03-13', 'due'),
    ]),
  },
  {
    name: 'payment failed',
    session: widgetSessionOf('payment_failed', '2026-02-09', null, [
      day('2026-02-02', 'paid'),
      day('2026-02-09', 'failed'),
      day('2026-02-16', 'due'),
    ]),
  },
  // One cause is a plan that was charged off.
  { name: 'needs attention', session: widgetSessionOf('needs_attention') },
  { name: 'paid off', session: widgetSessionOf('paid_off'), settings: { balance: 0 } },
  { name: 'nothing due', session: widgetSessionOf('nothing_due'), settings: { balance: 0 } },
  { name: 'credit', session: widgetSessionOf('nothing_due'), settings: { balance: -5000 } },
  { name: 'moved out', session: widgetSessionOf('moved_out') },
  { name: 'unavailable until', session: widgetSessionOf('unavailable', null, '2026-05-02') },
  { name: 'unavailable', session: widgetSessionOf('unavailable') },
  ...[
    { name: 'yellow', accent: '#fde047', radius: '2px' },
    { name: 'red', accent: '#d92d20', radius: '8px' },
    { name: 'near black', accent: '#0a0a0a', radius: '0' },
    { name: 'dark blue', accent: '#0b1f4b', radius: '16px' },
  ].flatMap(({ name, ...variables }) => [
    { name, session: widgetSessionOf('can_split'), settings: { appearance: { variables } } },
    {
      name: `${name}, past due`,
      session: widgetSessionOf('past_due', '2026-02-09', null, late),
      settings: { appearance: { variables } },
    },
  ]),
];

mkdirSync(folder, { recursive: true });
const nameFilters = process.argv.slice(2);
const isSelected = (name: string) =>
  nameFilters.length === 0 || nameFilters.some((it) => name.includes(it));
const stage = await startStage();
for (const mode of modes) {
  for (const language of locales) {
    for (const [width, height] of sizes) {
      const name = `${width}x${height}-${mode}-${language}`;
      if (isSelected(name)) await shootSheet(stage, name, { mode, language, width, height });
    }
  }
  if (mode !== 'text-200' && isSelected(`dialog-${mode}`)) await shootDialog(stage, mode);
}
await stage.close();

async function shootSheet(
  stage: Stage,
  name: string,
  {
    mode,
    language,
    width,
    height,
  }: { mode: Mode; language: string; width: number; height: number },
) {
  const columns = Math.max(1, Math.floor(1300 / (width + 16)));
  const rows = Math.ceil(scenes.length / columns);
  const opened = await open(stage, mode, '', {
    width: Math.min(columns, scenes.length) * (width + 16) + 16,
    height: rows * (height + 40) + 16,
  });
  // tsx wraps named functions in a helper, which the page does not have.
  await opened.page.evaluate('globalThis.__name = (it) => it');
  const list = scenes.map(({ settings, ...scene }) => ({ ...scene, settings: settings ?? {} }));
  await opened.page.evaluate(
    async ({ list, words, width, height, isLarge }) => {
      const slot = document.getElementById('slot') as HTMLElement;
      slot.style.cssText = 'display:flex;flex-wrap:wrap;gap:16px;width:auto;height:auto';
      for (const { name, session, settings } of list) {
        const figure = document.createElement('figure');
        figure.style.cssText = `margin:0;width:${width}px;font:12px system-ui`;
        const box = document.createElement('div');
        box.style.cssText = isLarge
          ? `width:${width}px;min-height:${height}px`
          : `width:${width}px;height:${height}px`;
        const svc = window.sdk.Svc({
          ...window.driver.settings,
          ...(words ? { locale: words } : {}),
          ...settings,
        });
        window.fetch = (async () => ({
          json: async () => ({ error: null, data: session }),
        })) as never;
        const requested = new Promise<void>((resolve) => {
          const answer = window.fetch;
          window.fetch = ((...call: Parameters<typeof fetch>) => {
            setTimeout(resolve, 10);
            return answer(...call);
          }) as never;
        });
        box.append(svc.createWidget());
        figure.append(name, box);
        slot.append(figure);
        await requested;
        if (!isLarge) continue;
        const root = svc.createWidget().shadowRoot;
        const texts = [...(root?.querySelectorAll<HTMLElement>('p,li,.svc-sandbox,button') ?? [])];
        const fonts = texts.map((it) => Number.parseFloat(getComputedStyle(it).fontSize));
        for (const [index, text] of texts.entries())
          text.style.fontSize = `${2 * (fonts[index] ?? 0)}px`;
      }
    },
    {
      list,
      words: language === 'es' ? es : null,
      width,
      height,
      isLarge: mode === 'text-200',
    },
  );
  await opened.page.screenshot({ path: `${folder}${name}.png`, fullPage: true });
  await opened.close();
}

async function shootDialog(stage: Stage, mode: Mode) {
  for (const [name, width, height] of [
    ['phone', 390, 844],
    ['desktop', 1200, 900],
  ] as const) {
    for (const manner of ['lively', 'silent'] as const) {
      stage.service.frame = manner;
      const opened = await open(stage, mode, 'width:340px;height:300px', { width, height });
      await opened.page.clock.install();
      await opened.page.evaluate(() => {
        window.driver.mount();
        window.driver.open();
      });
      await opened.page.clock.runFor(1000);
      await opened.page.waitForTimeout(500);
      await shoot(opened, `dialog-${manner === 'lively' ? 'open' : 'loading'}-${name}-${mode}`);
      if (manner === 'silent') {
        await opened.page.clock.runFor(12_000);
        await opened.page.waitForTimeout(300);
        await shoot(opened, `dialog-failed-${name}-${mode}`);
      }
      await opened.close();
    }
  }
}

async function open(
  stage: Stage,
  mode: Mode,
  slot: string,
  viewport: { width: number; height: number },
): Promise<Opened> {
  const opened = await stage.open({
    slot,
    viewport,
    colorScheme: mode === 'dark' ? 'dark' : 'light',
    scale: 1,
    head: `<style>:root{color-scheme:light dark}html{background:light-dark(#f9fafb,#0c111d)}</style>`,
  });
  if (mode === 'forced') await opened.page.emulateMedia({ forcedColors: 'active' });
  return opened;
}

async function shoot({ page }: Opened, name: string): Promise<void> {
  await page.screenshot({ path: `${folder}${name}.png` });
}
