import { expect, test } from 'vitest';
import { fillPath } from './fill-path.ts';

test('each parameter is encoded once', () => {
  expect(fillPath('/tenants/{pms}/{id}/pay', { pms: 'maple', id: 'a/b %2F' })).toBe(
    '/tenants/maple/a%2Fb%20%252F/pay',
  );
  expect(fillPath('/state')).toBe('/state');
});

test.each(['.', '..'])('%s is refused, because it would call another route', (id) => {
  expect(() => fillPath('/plans/{id}/pay', { id })).toThrow(TypeError);
});

test('dots within a parameter are no problem', () => {
  expect(fillPath('/tenants/{id}', { id: '...' })).toBe('/tenants/...');
});
