/**
 * Pictures of the widget and of the dialog around the frame, in every state, to be looked at:
 * `node --conditions=source --import tsx packages/core/test/screens.ts` writes .screens/widget/.
 */
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { WidgetSession } from '@svc/contract';
import type { SvcSettings } from '../src/index.ts';
import { answerOf } from './fixture/service.ts';
import { type Opened, type Stage, startStage } from './fixture/stage.ts';

const folder = fileURLToPath(new URL('../../../.screens/widget/', import.meta.url));
const sizes = [
  [280, 250],
  [320, 250],
  [390, 300],
  [820, 320],
] as const;

type Mode = 'light' | 'dark' | 'forced';

interface Scene {
  name: string;
  settings?: Partial<SvcSettings>;
  state?: WidgetSession['state'];
  next?: string;
  until?: string;
  click?: boolean;
}

const scenes: Scene[] = [
  { name: 'rent' },
  { name: 'hoa', settings: { productVariant: 'hoa', balance: 38000, environment: 'production' } },
  { name: 'nothing-due', settings: { balance: 0 } },
  { name: 'credit', settings: { balance: -5000 } },
  { name: 'has-plan', state: 'has_plan', next: '2026-02-15' },
  { name: 'unavailable', state: 'unavailable', until: '2026-05-23' },
  { name: 'busy', click: true },
  {
    name: 'branded',
    settings: { appearance: { variables: { accent: '#5b21b6', radius: '2px' } } },
  },
  { name: 'pale', settings: { appearance: { variables: { accent: '#fde047' } } } },
];

mkdirSync(folder, { recursive: true });
const stage = await startStage();
for (const mode of ['light', 'dark', 'forced'] as const) {
  for (const scene of scenes) await shootWidget(stage, scene, mode);
  await shootDialog(stage, mode);
}
await stage.close();

async function shootWidget(stage: Stage, scene: Scene, mode: Mode) {
  stage.service.widgetAnswer = answerOf(scene.state ?? 'can_split', scene.next, scene.until);
  for (const [width, height] of sizes) {
    const opened = await open(stage, mode, `width:${width}px;height:${height}px`, {
      width: width + 32,
      height: height + 32,
    });
    const answered = opened.page.waitForResponse((it) => it.request().method() === 'POST');
    await opened.page.evaluate((settings) => window.driver.mount(settings), scene.settings ?? {});
    await answered;
    await opened.page.waitForTimeout(50);
    if (scene.click) {
      await opened.page.evaluate(() =>
        window.driver.svc.update({
          onWidgetClickCallback: window.driver.from('() => new Promise(() => {})'),
        }),
      );
      await opened.page.getByRole('button').click();
    }
    await shoot(opened, `${scene.name}-${width}x${height}-${mode}`);
    await opened.close();
  }
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
    scale: 2,
    head: `<style>:root{color-scheme:light dark}html{background:light-dark(#f9fafb,#0c111d)}</style>`,
  });
  if (mode === 'forced') await opened.page.emulateMedia({ forcedColors: 'active' });
  return opened;
}

async function shoot({ page }: Opened, name: string): Promise<void> {
  await page.screenshot({ path: `${folder}${name}.png` });
}
