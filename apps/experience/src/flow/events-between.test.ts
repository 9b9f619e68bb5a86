import { expect, test } from 'vitest';
import { managementOf } from '../../test/fixture/management.ts';
import { bankAccount } from '../../test/fixture/methods.ts';
import { approved, declined, planOf, stateOf } from '../../test/fixture/states.ts';
import { eventsBetween } from './events-between.ts';

const submitted = stateOf({
  step: 'payment_method',
  application: { id: 'app_1', state: 'submitted', approved_amount_in_cents: null },
});

test('submitting the application and its result emit one event each', () => {
  expect(eventsBetween(stateOf(), submitted)).toEqual([
    { type: 'APPLICATION_SUBMITTED', data: { application_id: 'app_1' } },
  ]);
  expect(eventsBetween(submitted, stateOf(approved))).toEqual([
    { type: 'USER_APPROVED', data: {} },
  ]);
  expect(eventsBetween(stateOf(approved), stateOf(approved))).toEqual([]);
});

test('an immediate decision emits both events, in order', () => {
  const types = eventsBetween(stateOf(), stateOf(declined)).map((event) => event.type);
  expect(types).toEqual(['APPLICATION_SUBMITTED', 'USER_DECLINED']);
});

test('a decline event contains no reasons', () => {
  const [event] = eventsBetween(submitted, stateOf(declined));
  expect(event).toEqual({ type: 'USER_DECLINED', data: {} });
});

test('a second application emits the same events as the first', () => {
  const again = stateOf({
    step: 'payment_method',
    application: { id: 'app_2', state: 'submitted', approved_amount_in_cents: null },
  });
  expect(eventsBetween(stateOf(declined), again)).toEqual([
    { type: 'APPLICATION_SUBMITTED', data: { application_id: 'app_2' } },
  ]);
});

test('a different tenant emits no events', () => {
  const other = stateOf({ ...approved, tenant: { ...submitted.tenant, external_id: 't-200' } });
  expect(eventsBetween(submitted, other)).toEqual([]);
});

test('a changed payment method of a plan emits one event, and its first method none', () => {
  const plan = planOf(4);
  const management = managementOf(plan);
  const payment_method = bankAccount('0001');
  const before = stateOf({ ...approved, step: 'manage', plan, management });
  const after = { ...before, management: { ...management, payment_method } };
  expect(eventsBetween(before, after)).toEqual([
    { type: 'PLAN_UPDATED', data: { plan_id: plan.id, change: 'payment_method' } },
  ]);
  expect(eventsBetween(after, after)).toEqual([]);
  expect(eventsBetween(stateOf(approved), before)).toEqual([]);
});
