import { expect, test } from 'vitest';
import { ada, useService } from './harness.ts';
import { signInOperator } from './support/sign-in-operator.ts';

const svc = await useService();
const { pms, key } = await svc.newPartner();
const olga = await signInOperator(svc, { role: 'support' });

const save = (name: string, address: string, by = olga) =>
  by.call('POST', '/views', { body: { name, address } });
const namesOf = async (by = olga) =>
  (await by.call('GET', '/views')).data.items.map((it: { name: string }) => it.name);

test('a person has their own views, and removes only these', async () => {
  const ben = await signInOperator(svc, { role: 'auditor' });
  const saved = await save('Snoozed debits', '/queues/settlements?snoozed=true');
  expect(saved.data).toMatchObject({ address: '/queues/settlements?snoozed=true' });
  await save('All debits', '/queues/settlements');
  expect(await namesOf()).toEqual(['All debits', 'Snoozed debits']);
  expect(await namesOf(ben)).toEqual([]);
  expect((await ben.call('POST', `/views/${saved.data.id}/remove`)).status).toBe(404);
  expect((await olga.call('POST', `/views/${saved.data.id}/remove`)).status).toBe(200);
  expect(await namesOf()).toEqual(['All debits']);
});

test.each([
  '/tenants/maple/ada@example.com',
  '/tenants/maple/t-1?kinds=mail',
  '/queues/mails?q=ada',
  '/queues/mails?search=ada',
  '/queues/mails?owner=ada%40example.com',
  '/queues/mails?phone=4155550199',
  'https://elsewhere.example/queues',
  '//elsewhere.example',
  '/queues/<script>',
  '',
])('the address "%s" is not saved', async (address) => {
  expect((await save('A view', address)).status).toBe(422);
});

test('a person saves at most 30 views', async () => {
  const carl = await signInOperator(svc, { role: 'finance' });
  for (let count = 0; count < 30; count += 1) await save(`View ${count}`, '/queues', carl);
  expect(await save('One more', '/queues', carl)).toMatchObject({
    status: 409,
    error: { code: 'step_not_allowed' },
  });
});

test('a queue and a timeline are CSV, without personal data', async () => {
  const person = { ...ada, first_name: 'Ada' };
  await svc.call('POST', '/tenant/portal_info/t-csv', { key, body: person });
  await svc.administer({ command: 'tenant paper', pms, external_id: 't-csv' });
  const read = async (path: string) => {
    const answer = await fetch(`${svc.url}/operator/v1${path}`, { headers: olga.headers });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'text/csv; charset=utf-8; header=present',
    ]);
    return answer.text();
  };
  const timeline = await read(`/tenants/${pms}/t-csv/timeline.csv`);
  expect(timeline.split('\r\n')[0]).toBe('at,tenant_time,kind,title,state,amount,by,subject_id,id');
  expect(timeline).toContain('tenant notices on paper. a test');
  expect(timeline).not.toContain('Lane');
  expect(await read(`/tenants/${pms}/t-csv/timeline.csv?kinds=mail`)).toBe('');
  expect(await read('/queues/settlements/items.csv')).toBe('');
});
