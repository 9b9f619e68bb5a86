import { expect, test } from 'vitest';
import { describeActor } from './describe-actor.ts';

const credential = {
  ends_with: null,
  person: null,
  read_only: false,
  since: '2026-03-02T15:00:00.000Z',
};

test('a key is named by its end, or by when it was made where the end is not known', () => {
  const known = { ...credential, ends_with: 'k2Qx' };
  expect(describeActor({ via: 'key', credential: known }).name).toBe('API key …k2Qx');
  const { name, detail } = describeActor({ via: 'key', credential });
  expect(name).toBe('API key');
  expect(detail).toMatch(/^made .*2026/);
});

test('a session is named by whom its link was made for, and says when it was opened', () => {
  const hers = { ...credential, person: 'Ada Byrd', read_only: true };
  const { name, detail } = describeActor({ via: 'portal', credential: hers });
  expect(name).toBe('Ada Byrd');
  expect(detail).toMatch(/^read-only, opened .*2026/);
  expect(describeActor({ via: 'portal', credential }).name).toBe('Portal session');
});

test('the operator is named by the user of the command line', () => {
  const operator = { ...credential, person: 'ops-ada' };
  expect(describeActor({ via: 'cli', credential: operator })).toEqual({
    name: 'ops-ada',
    detail: 'operator of the service, command line',
  });
});
