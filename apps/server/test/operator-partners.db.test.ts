import { expect, test } from 'vitest';
import { useService } from './harness.ts';
import { signInOperator } from './support/sign-in-operator.ts';

const svc = await useService();
const [maple, oak] = [await svc.newPartner(), await svc.newPartner()];
const person = await signInOperator(svc, { role: 'admin' });
const limited = await signInOperator(svc, { role: 'developer', partners: [maple.pms] });

await svc.call('POST', '/webhooks/endpoints', {
  key: maple.key,
  body: { url: 'http://127.0.0.1:9/hook' },
});

test('partners are listed with their keys and endpoints, those that the person may see', async () => {
  const { data } = await person.call('GET', '/partners');
  const find = (pms: string) => data.items.find((it: { pms: string }) => it.pms === pms);
  expect(find(maple.pms)).toEqual({
    pms: maple.pms,
    name: maple.pms,
    created_at: '2026-01-20T15:00:00.000Z',
    live_keys: 1,
    last_used_at: '2026-01-20T15:00:00.000Z',
    endpoints: 1,
    failing_endpoints: 0,
  });
  expect(find(oak.pms)).toMatchObject({ endpoints: 0, last_used_at: null });
  const own = await limited.call('GET', '/partners');
  expect(own.data.items.map((it: { pms: string }) => it.pms)).toEqual([maple.pms]);
});

test('a partner’s page has no secret, and says what became of the link to a key', async () => {
  const made = await svc.administer({ command: 'key create', pms: maple.pms, link: true });
  const { link } = (made as unknown as { result: { link: { url: string } } }).result;
  await svc.call('POST', '/portal/key', { body: { secret: link.url.split('#')[1] } });
  const { data } = await limited.call('GET', `/partners/${maple.pms}`);
  expect(data.keys).toMatchObject([
    { state: 'live', link: { opened_at: '2026-01-20T15:00:00.000Z' } },
    { id: maple.keyId, state: 'live', link: null, ends_with: maple.key.slice(-4) },
  ]);
  expect(data.endpoints).toMatchObject([
    { url: 'http://127.0.0.1:9/hook', state: 'enabled', failing_since: null },
  ]);
  expect(JSON.stringify(data)).not.toMatch(/svc_sandbox_|svc_kl_|whsec_/);
  expect((await limited.call('GET', `/partners/${oak.pms}`)).status).toBe(404);
});

test('the controls say who stopped money, and pauses of visible partners only', async () => {
  for (const { pms } of [maple, oak]) {
    await svc.administer({ command: 'collections pause', pms });
  }
  await svc.administer({ command: 'money stop' });
  const { data } = await limited.call('GET', '/controls');
  expect(data.money).toMatchObject({ stopped_at: '2026-01-20T15:00:00.000Z' });
  expect(data.pauses.map((it: { pms: string }) => it.pms)).toEqual([maple.pms]);
  expect(data.runbook).toBe(`${svc.origin}/docs/operate/controls#stop-all-money`);
  expect((await limited.call('GET', `/controls?pms=${oak.pms}`)).status).toBe(404);
  await svc.administer({ command: 'money start' });
});

test('secrets are listed by age, and the service’s own only for people of all portals', async () => {
  const { data } = await person.call('GET', '/secrets');
  expect(data.secret_key).toMatchObject({ keys: 1, replaced_at: null });
  await svc.administer({ command: 'secret rotate' });
  const rotated = await person.call('GET', '/secrets');
  expect(rotated.data.secret_key.replaced_at).toBe('2026-01-20T15:00:00.000Z');
  const own = (await limited.call('GET', '/secrets')).data;
  expect(own.secret_key).toBeNull();
  expect(new Set(own.items.map((it: { pms: string }) => it.pms))).toEqual(new Set([maple.pms]));
  expect(own.items.map((it: { kind: string }) => it.kind)).toContain('webhook_secret');
  expect(JSON.stringify(own)).not.toMatch(/svc_sandbox_|whsec_/);
});

test('terms have a status within their scope, and say what they change', async () => {
  const { terms } = (
    (await svc.administer({ command: 'terms show', version: 'default' })) as unknown as {
      result: { terms: object };
    }
  ).result;
  const apply = async (fee: number, effective: string, pms?: string) => {
    const done = await svc.administer({
      command: 'terms apply',
      terms: { ...terms, fee_in_cents: fee },
      effective,
      ...(pms !== undefined && { pms }),
    });
    return (done as unknown as { result: { version: string } }).result.version;
  };
  const first = await apply(3_500, '2026-02-01');
  const second = await apply(4_000, '2026-03-01');
  const other = await apply(4_500, '2026-03-01', oak.pms);
  const statuses = async () => {
    const { data } = await person.call('GET', '/terms');
    return Object.fromEntries(
      data.items.map((it: { version: string; status: string }) => [it.version, it.status]),
    );
  };
  expect(await statuses()).toEqual({
    [first]: 'upcoming',
    [second]: 'upcoming',
    [other]: 'upcoming',
    'default-2026-11': 'in_force',
  });
  const { data } = await person.call('GET', `/terms/${second}`);
  expect(data).toMatchObject({
    before: first,
    changes: [{ field: 'fee_in_cents', now: 3_500, new: 4_000 }],
    terms: { fee_in_cents: 4_000 },
  });
  expect((await limited.call('GET', `/terms/${other}`)).status).toBe(404);
  expect((await limited.call('GET', '/terms/default-2026-11')).data).toMatchObject({
    before: null,
    changes: [],
  });
  expect((await person.call('GET', '/terms/nothing')).status).toBe(404);
});

test('a preview of wrong terms names each mistake with its place', async () => {
  const terms = JSON.stringify({ fee_in_cents: 'free', grace_days: 3 });
  const { error } = await person.call('POST', '/commands/terms-preview', {
    body: { input: { terms, amount_in_cents: '150000' } },
  });
  expect(error?.errors).toContainEqual({
    param: 'fee_in_cents',
    code: 'invalid_value',
    message: 'must be a whole number of cents from 0 to 50000',
  });
  expect(error?.errors).toContainEqual(expect.objectContaining({ param: 'grace_days' }));
});
