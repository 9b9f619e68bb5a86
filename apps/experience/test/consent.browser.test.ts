import { afterAll, beforeAll, expect, test } from 'vitest';
import { en } from '../src/words/en.ts';
import { es } from '../src/words/es.ts';
import { chooseLanguage, press, waitForTitle } from './fixture/actions.ts';
import { playScene } from './fixture/play-scene.ts';
import { type Stage, startStage } from './fixture/stage.ts';
import { scenes } from './scenes.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

const scene = scenes.find(({ name }) => name === 'consent');
if (scene === undefined) throw new Error('There is no scene "consent"');

/**
 * The texts that must be on the screen before the tenant agrees: the disclosures of 12 CFR 1026.18, the
 * payments with their days, the account, the lender, the way to the whole agreement, and the
 * authorization directly above the button. None of it may be folded.
 */
test.for([
  {
    language: 'English',
    words: en,
    days: ['Mon, Feb 9', 'Tue, Feb 17', 'Wed, Feb 25'],
    account: 'bank account ending in 0000',
  },
  {
    language: 'Español',
    words: es,
    days: ['Lun, 9 feb', 'Mar, 17 feb', 'Mié, 25 feb'],
    account: 'cuenta bancaria terminada en 0000',
  },
] as const)('in $language the consent shows every text that it must', async (expected) => {
  const { language, words, days, account } = expected;
  const opened = await playScene(stage, scene);
  if (language !== 'English') await chooseLanguage(opened, language);
  const { consent } = words;
  const shown = spaced(await opened.frame.locator('main').innerText());
  const required = [
    consent.apr,
    consent.aprNote,
    '69.9%',
    consent.charge,
    consent.chargeNote,
    '$30.00',
    consent.financed,
    consent.financedNote,
    '$1,520.12',
    consent.total,
    consent.totalNote,
    '$1,550.12',
    consent.schedule,
    ...days,
    '$410.03',
    '$380.03',
    consent.text,
    words.help('Svc Payments'),
    'help@svc.example',
  ];
  for (const text of required) expect(shown).toContain(spaced(text));

  const authorization = consent.agree('Svc Payments', account);
  const footer = spaced(await opened.frame.locator('.footer').innerText());
  expect(footer).toBe(`${authorization} ${consent.action('$410.03')}`);

  await press(opened, new RegExp(`^${consent.text}`));
  await waitForTitle(opened, words.agreementPage.title);
  const document = spaced(await opened.frame.locator('main').innerText());
  expect(document).toContain(consent.version('').trim());
  expect(await opened.frame.locator('.agreement').innerText()).not.toBe('');
  await press(opened, words.back);
  await waitForTitle(opened, consent.title);
  await opened.close();
});

function spaced(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}
