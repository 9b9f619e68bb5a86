import { expect, test } from 'vitest';
import { managementOf } from '../../test/fixture/management.ts';
import { bankAccount } from '../../test/fixture/methods.ts';
import { approved, declined, planOf, stateOf } from '../../test/fixture/states.ts';
import { eventsBetween } from './events-between.ts';

const submitted = stateOf({
  step: 'payment_method',
  application: { id: 'app_1', state: 'submitted', approved_amount_in_cents: null },
});

test('sending the application and its result are told once each', () => {
  expect(eventsBetween(stateOf(), submitted)).toEqual([
    { type: 'APPLICATION_SUBMITTED', data: { application_id: 'app_1' } },
  ]);
  expect(eventsBetween(submitted, stateOf(approved))).toEqual([
    { type: 'USER_APPROVED', data: {} },
  ]);
  expect(eventsBetween(stateOf(approved), stateOf(approved))).toEqual([]);
});

test('a decision in one stroke tells both, in order', () => {
  const types = eventsBetween(stateOf(), stateOf(declined)).map((event) => event.type);
  expect(types).toEqual(['APPLICATION_SUBMITTED', 'USER_DECLINED']);
});

test('a decline carries no reasons', () => {
  const [event] = eventsBetween(submitted, stateOf(declined));
  expect(event).toEqual({ type: 'USER_DECLINED', data: {} });
});

test('a second application is told like the first', () => {
  const again = stateOf({
    step: 'payment_method',
    application: { id: 'app_2', state: 'submitted', approved_amount_in_cents: null },
  });
  expect(eventsBetween(stateOf(declined), again)).toEqual([
    { type: 'APPLICATION_SUBMITTED', data: { application_id: 'app_2' } },
  ]);
});

test('nothing is told of another tenant', () => {
  const other = stateOf({ ...approved, tenant: { ...submitted.tenant, external_id: 't-200' } });
  expect(eventsBetween(submitted, other)).toEqual([]);
});

test('another account for a plan is told once, and a plan’s first is not', () => {
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
