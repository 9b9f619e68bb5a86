import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyOf, subjectOf } from './subject-of.ts';

const message = {
  id: 'evt_1',
  partnerId: 'ptn_1',
  pms: 'maple',
  subject: 't-100' as string | null,
  type: 'plan.created',
  channels: null,
  body: '{}',
  createdAt: new Date(0),
};

test.each([
  ['t-100', 'svc.maple.t-100.plan.created'],
  ['a.b c*>', 'svc.maple.a%2Eb%20c%2A%3E.plan.created'],
  ['Zoë', 'svc.maple.Zo%C3%AB.plan.created'],
  ['_', 'svc.maple.%5F.plan.created'],
  [null, 'svc.maple._.plan.created'],
])('the subject of an event about %j is %s', (subject, expected) => {
  expect(subjectOf('svc', { ...message, subject })).toBe(expected);
});

test('every external id is one token without wildcards, and no two share one', () => {
  const ids = fc.string({ minLength: 1, maxLength: 255, unit: 'grapheme' });
  fc.assert(
    fc.property(ids, ids, (one, other) => {
      const [a, b] = [one, other].map((subject) => keyOf({ ...message, subject }));
      expect(a).toMatch(/^maple\.[^.*>\s]+$/);
      expect(a === b).toBe(one === other);
    }),
  );
});
