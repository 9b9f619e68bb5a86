import type { ExperienceState } from '@svc/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chooseLanguage, fillApplication, press, waitForTitle } from './fixture/actions.ts';
import { type Stage, startStage } from './fixture/stage.ts';
import { charge, stateOf } from './fixture/states.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

test('an applicant under 18 gets an error at the field, and nothing is sent', async () => {
  const it = await stage.open({ state: stateOf() });
  await press(it, 'Start my application');
  await fillApplication(it);
  const sent = () => stage.service.calls.filter(({ call }) => call === 'POST /application').length;
  const before = sent();
  // The tenant's today is February 1, 2026.
  for (const [month, day, year] of [
    ['6', '15', '2012'],
    ['2', '2', '2008'],
  ] as const) {
    await it.frame.getByLabel('Month', { exact: true }).fill(month);
    await it.frame.getByLabel('Day', { exact: true }).fill(day);
    await it.frame.getByLabel('Year', { exact: true }).fill(year);
    await press(it, 'Send my application');
    await it.frame.getByText('You must be 18 or older to apply.').waitFor();
  }
  expect(sent()).toBe(before);
  await chooseLanguage(it, 'Español');
  await it.frame.getByText('Debes tener al menos 18 años para solicitarlo.').waitFor();
  await chooseLanguage(it, 'English');
  await it.frame.getByLabel('Day', { exact: true }).fill('1');
  await press(it, 'Send my application');
  await waitForTitle(it, 'How do you want to pay?');
  await it.close();
});

test('a blocked screen shows the charges that block, what to do, by when, and whom to ask', async () => {
  const earlier = (id: string, day: string, amount: number, paid = 0) => ({
    ...charge(id, 'rent', `Rent ${day}`, amount),
    due_date: day,
    amount_paid_in_cents: paid,
  });
  const it = await stage.open({
    state: stateOf({
      step: 'blocked',
      eligibility: { state: 'blocked', reason: 'past_due_balance', until: null },
      blocking_charges: [
        earlier('C-11', '2025-12-01', 20000),
        earlier('C-12', '2026-01-01', 150000, 120000),
      ],
    }),
  });
  await waitForTitle(it, 'Pay your earlier balance first');
  const facts = await it.frame.locator('dd').allInnerTexts();
  expect(facts).toEqual(['$200.00', '$300.00', '$500.00']);
  expect(await it.frame.getByText('$1,520.12').count()).toBe(0);
  const advice = it.frame.locator('section', { hasText: 'What you can do' }).locator('p');
  expect(await advice.allInnerTexts()).toEqual([
    'Pay the earlier balance in your portal, then open this again.',
    'You can still split your rent until Tuesday, February 10.',
    'If something looks wrong, ask your property manager through your resident portal. You can also email us at help@svc.example.',
  ]);
  await it.close();
});

test('a blocked screen says until when the tenant can still do something, or when to pay', async () => {
  const blockedBy = async (
    reason: ExperienceState['eligibility']['reason'],
    change: Partial<ExperienceState>,
  ) => {
    const eligibility = { state: 'blocked', reason, until: null } as const;
    const it = await stage.open({ state: stateOf({ step: 'blocked', eligibility, ...change }) });
    const advice = it.frame.locator('section', { hasText: 'What you can do' }).locator('p');
    const lines = await advice.allInnerTexts();
    await it.close();
    return lines.slice(0, -1);
  };
  const declined = { state: 'declined', reason: null, until: '2026-05-02' } as const;
  const closed = { state: 'cycle_closed', reason: null, until: null } as const;
  expect(await blockedBy(null, { eligibility: closed, today: '2026-02-12' })).toEqual([
    'Pay your rent in your portal as soon as you can.',
    'Next time, check back a few days before the due date.',
  ]);
  expect(await blockedBy(null, { eligibility: declined })).toEqual([
    'Pay your rent in your portal by Sunday, February 1, as usual.',
    'You can apply again starting Saturday, May 2.',
  ]);
  expect(await blockedBy('would_land_late', {})).toEqual([
    'To avoid a late fee, pay in your portal today. Next month, check back before the due date.',
  ]);
});
