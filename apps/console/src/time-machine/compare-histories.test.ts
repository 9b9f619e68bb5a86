import { expect, test } from 'vitest';
import type { TenantEvent } from '../api/time-machine.ts';
import { countEqual, findDifference, isEqualEvent } from './compare-histories.ts';

const created: TenantEvent = {
  id: 'evt_01sample0001',
  type: 'plan.created',
  occurred_at: '2026-02-01T18:00:00.000Z',
  data: {
    external_id: 't-100',
    plan_id: 'pln_01sample0001',
    terms_sha256: 'a'.repeat(64),
    object_version: 3,
    installments: [{ id: 'ins_01sample0001', state: 'paid' }, { state: 'scheduled' }],
  },
};
const copied: TenantEvent = {
  ...created,
  id: 'evt_01sample0002',
  data: {
    external_id: 't-100~fork-1',
    plan_id: 'pln_01sample0002',
    terms_sha256: 'b'.repeat(64),
    object_version: 4,
    installments: [{ id: 'ins_01sample0002', state: 'paid' }, { state: 'scheduled' }],
  },
};

test('webhooks about a tenant and a copy are equal, each with its own ids and versions', () => {
  expect(isEqualEvent(created, copied)).toBe(true);
  expect(isEqualEvent(created, { ...copied, type: 'plan.activated' })).toBe(false);
  expect(isEqualEvent(created, { ...copied, occurred_at: '2026-02-01T18:00:01.000Z' })).toBe(false);
});

test('the first difference is a path with both values', () => {
  const failed = { installments: [{ state: 'paid' }, { state: 'failed' }] };
  expect(findDifference({ installments: created.data.installments }, failed)).toMatchObject({
    path: 'installments.0.id',
  });
  expect(findDifference({ a: [{ b: 'x' }, { b: 'y' }] }, { a: [{ b: 'x' }, { b: 'z' }] })).toEqual({
    path: 'a.1.b',
    one: 'y',
    other: 'z',
  });
  expect(findDifference({ a: null }, { a: {} })).toEqual({ path: 'a', one: null, other: {} });
});

test('the equal beginning ends at the first difference, and with the shorter list', () => {
  const isEqual = (one: number, other: number) => one === other;
  expect(countEqual([1, 2, 3], [1, 2, 4], isEqual)).toBe(2);
  expect(countEqual([1, 2], [1, 2, 3], isEqual)).toBe(2);
  expect(countEqual([1, 2, 3], [1], isEqual)).toBe(1);
  expect(countEqual([], [1], isEqual)).toBe(0);
});
