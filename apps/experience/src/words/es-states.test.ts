import { expect, test } from 'vitest';
import { es } from './es.ts';

test('a state has its Spanish name', () => {
  expect(es.blocked.notIn('New York')).toBe('No disponible en Nueva York');
  expect(es.blocked.notIn('Texas')).toBe('No disponible en Texas');
});
