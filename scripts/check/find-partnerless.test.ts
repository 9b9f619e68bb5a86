import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findPartnerless, tenantTables } from './find-partnerless.ts';

const schema = `create table plan (
  id text not null,
  partner_id text not null
);

create table tenant (
  partner_id text not null,
  id text not null
);

create table partner (
  id text not null
);
`;

const path = 'apps/server/src/domain/plans/a.ts';
const find = (text: string) => findPartnerless([{ path, text }], schema);

test('the tables with a partner are those of schema.sql', () => {
  expect(tenantTables(schema)).toEqual(['plan', 'tenant']);
  const written = readFileSync(new URL('../../apps/server/schema.sql', import.meta.url), 'utf8');
  expect(tenantTables(written)).toEqual(expect.arrayContaining(['plan', 'tenant', 'settlement']));
  expect(tenantTables(written)).not.toContain('partner');
});

test.each([
  'sql`select state from plan where id = ${id}`',
  'sql`select p.id, p.partner_id from plan p where p.id = ${id}`',
  'sql`update plan set state = ${to} where id = ${id}`',
  'sql`delete from plan where id = ${id} returning partner_id`',
  'sql`insert into plan (id) values (${id})`',
  'sql`insert into plan (id) select id from x where partner_id = ${partnerId}`',
  'sql`${start} where exists (select from plan where id = ${id})`',
  'sql`${inner ? sql`select from plan` : sql``}`',
])('a statement that forgets the partner is found: %s', (statement) => {
  expect(find(`\n\n${statement}`)).toEqual([
    `${path}:3: compare the partner_id of plan, or say /* all partners */`,
  ]);
});

test.each([
  'sql`select from plan p join tenant t on t.id = p.tenant_id where p.partner_id = ${partnerId}`',
  'sql`update plan p set state = t.state from partner o, tenant t where p.partner_id = o.id`',
  'sql`select from plan join tenant on id = tenant_id where plan.partner_id = ${partnerId}`',
  'sql`select from plan p left join tenant on id = p.tenant_id where (p.partner_id, p.id) = (1, 2)`',
])('each joined table needs its own partner: %s', (statement) => {
  expect(find(statement)).toEqual([expect.stringContaining('the partner_id of tenant')]);
});

test.each([
  'sql`select state from plan where partner_id = ${partnerId} and id = ${id}`',
  'sql`select from plan p join tenant t on t.partner_id = p.partner_id where p.partner_id = ${1}`',
  'sql`update plan p set state = t.state from tenant t where p.partner_id = t.partner_id`',
  'sql`insert into plan as p (partner_id, id) values (${partnerId}, ${id})`',
  'sql`with plan as (select 1) select pms, plan from partner`',
  'sql`select from plan p where ${areTenants(sql`(p.partner_id, p.tenant_id)`, tenants)}`',
  'sql`/* all partners: a job claims them */ select id from plan where due_at < ${now}`',
  'const text = { plan: `from plan ${sql} where` }; raw`from plan`;',
])('a statement that compares the partner, or says that it means all, passes: %s', (statement) => {
  expect(find(statement)).toEqual([]);
});

test('tests may use any statement', () => {
  const text = 'sql`select from plan`';
  expect(findPartnerless([{ path: 'apps/server/src/a.test.ts', text }], schema)).toEqual([]);
});
