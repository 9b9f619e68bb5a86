import { expect, test } from 'vitest';
import { approved, declined, planOf, stateOf } from '../../test/fixture/states.ts';
import { stepAfter, stepOnReturn } from './step-after.ts';

const offer = stateOf();
const account = stateOf({ step: 'payment_method' });
const choice = stateOf(approved);
const manage = stateOf({ step: 'manage', plan: planOf(4) });

test('the first state decides the step', () => {
  expect(stepAfter(null, choice)).toBe('plan_choice');
});

test('a step that the server’s step allows is kept', () => {
  expect(stepAfter({ step: 'application', state: offer }, offer)).toBe('application');
  expect(stepAfter({ step: 'consent', state: choice }, choice)).toBe('consent');
  expect(stepAfter({ step: 'done', state: manage }, manage)).toBe('done');
});

test('a step that the server’s step does not allow is left', () => {
  expect(stepAfter({ step: 'consent', state: choice }, stateOf(declined))).toBe('declined');
  expect(stepAfter({ step: 'application', state: offer }, account)).toBe('payment_method');
});

test('an approval leads to the choice of payments, whatever was asked before it', () => {
  const inReview = stateOf({ step: 'decision' });
  expect(stepAfter({ step: 'application', state: offer }, choice)).toBe('plan_choice');
  expect(stepAfter({ step: 'payment_method', state: account }, choice)).toBe('plan_choice');
  expect(stepAfter({ step: 'decision', state: inReview }, choice)).toBe('plan_choice');
});

test('an account that is changed while a plan is chosen does not lead back to the choice', () => {
  expect(stepAfter({ step: 'payment_method', state: choice }, choice)).toBe('payment_method');
});

test('a plan that was made while the agreement is open is shown as done', () => {
  expect(stepAfter({ step: 'consent', state: choice }, manage)).toBe('done');
  expect(stepAfter({ step: 'plan_choice', state: choice }, manage)).toBe('manage');
});

test('another tenant starts at the server’s step', () => {
  const other = stateOf({ tenant: { ...offer.tenant, external_id: 't-200' } });
  expect(stepAfter({ step: 'application', state: offer }, other)).toBe('offer');
});

test('after a reload the saved step is shown if the server’s step allows it', () => {
  expect(stepOnReturn('application', offer)).toBe('application');
  expect(stepOnReturn('consent', choice)).toBe('consent');
  expect(stepOnReturn('application', account)).toBe('payment_method');
  expect(stepOnReturn('done', manage)).toBe('manage');
});
