import type { ExperienceState } from '@svc/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseLanguage } from './fixture/actions.ts';
import { cutOff, tooWide } from './fixture/layout-faults.ts';
import { playScene } from './fixture/play-scene.ts';
import { type Stage, startStage } from './fixture/stage.ts';
import type { Scene } from './scene.ts';
import { scenes } from './scenes.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

/** The longest names and descriptions that a portal may report. Null if it reports none. */
const reported: Record<string, string | null> = {
  'one long word': 'W'.repeat(200),
  'many words': 'The Residences at Saint Bartholomew’s '.repeat(5).trim(),
  Arabic: '\u2068شركة الواحة للإسكان والعقارات\u2069',
  emoji: '🏳️‍🌈🏠'.repeat(20),
  nothing: null,
};

/** The screens that show names and descriptions. */
const shown = [
  'offer',
  'offer-production',
  'application',
  'choice',
  'consent',
  'done',
  'declined',
  'manage',
  'manage-credited',
  'blocked-past_due_balance',
];

function withText(state: ExperienceState, text: string | null): ExperienceState {
  const { tenant, notice, charges } = state;
  return {
    ...state,
    tenant: {
      ...tenant,
      property_name: text,
      first_name: text?.slice(0, 100) ?? tenant.first_name,
    },
    notice: notice && { ...notice, applicant: text ?? '' },
    charges: charges.map((it) => ({ ...it, description: text })),
  };
}

const cases = scenes
  .filter(({ name }) => shown.includes(name))
  .flatMap((scene) => Object.keys(reported).map((kind) => [scene.name, kind, scene] as const));

test.for(cases)('%s with %s as the reported texts fits a narrow phone', async ([, kind, scene]) => {
  const { open } = scene satisfies Scene;
  const state = withText(open.state, reported[kind] ?? null);
  const opened = await playScene(stage, { ...scene, open: { ...open, state } });
  await opened.page.setViewportSize({ width: 320, height: 640 });
  await opened.frame.waitForFunction(() => innerWidth === 320);
  for (const language of ['English', 'Español'] as const) {
    if (language !== 'English') await chooseLanguage(opened, language);
    expect(await tooWide(opened.frame), language).toEqual([]);
    expect(await cutOff(opened.frame), language).toEqual([]);
    const text = await opened.frame.locator('body').innerText();
    expect(text, language).not.toMatch(/undefined|null|NaN| {2}|“”/);
  }
  await opened.close();
});
