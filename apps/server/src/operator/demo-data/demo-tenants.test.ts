import { expect, test } from 'vitest';
import { demoTenantKinds, demoTenants } from './demo-tenants.ts';

test('a tenant has the same name and rent whatever the day, and no two have the same', () => {
  const [one, other] = [demoTenants(300, '2026-01-05'), demoTenants(300, '2026-11-27')];
  const personOf = ({ externalId, report }: (typeof one)[number]) => {
    const { first_name, last_name, email } = report('2026-12-01');
    return { externalId, name: `${first_name} ${last_name}`, email };
  };
  expect(one.map(personOf)).toEqual(other.map(personOf));
  expect(new Set(one.map((it) => personOf(it).name)).size).toBe(300);
  expect(new Set(one.map(({ kind }) => kind))).toEqual(new Set(Object.keys(demoTenantKinds)));
});
