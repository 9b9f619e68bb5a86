import { expect, test } from 'vitest';
import { wordsOfRent } from '../../../scripts/test/words-of-rent.ts';
import { es } from '../src/locales/es.ts';
import { movedOut, sold } from '../src/locales/words.ts';

test('one phrase is for tenants only, and an owner gets another one', () => {
  expect(wordsOfRent(movedOut)).toHaveLength(1);
  const others = Object.entries(es).filter(([phrase]) => phrase !== movedOut);
  expect(others.map(([phrase]) => phrase)).toContain(sold);
  expect(wordsOfRent(others.flat().join('\n'))).toEqual([]);
});
