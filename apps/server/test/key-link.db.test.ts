import { sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { findText } from './find-text.ts';
import { startRunning, useService } from './harness.ts';
import { signInOperator } from './support/sign-in-operator.ts';

const svc = await useService();

const dayMs = 24 * 3_600_000;

interface Created {
  readonly key_id: string;
  readonly link: { readonly url: string; readonly expires_at: string };
}

async function createLink(pms: string): Promise<Created & { secret: string }> {
  const made = await svc.administer({ command: 'key create', pms, link: true });
  if (!made.ok) throw new Error(made.message);
  const created = made.result as Created;
  return { ...created, secret: created.link.url.split('#')[1] ?? '' };
}

const open = (secret: string) => svc.call('POST', '/portal/key', { body: { secret } });

test('a link shows a key that works, once, and both steps are in the audit log', async () => {
  const partner = await svc.newPartner();
  const { key_id, link, secret, ...rest } = await createLink(partner.pms);
  expect(rest).toEqual({});
  expect(link).toEqual({
    url: `${svc.origin}/portal#${secret}`,
    expires_at: '2026-01-27T15:00:00.000Z',
  });
  expect(secret).toMatch(/^svc_kl_\w{43}$/);
  const opened = await open(secret);
  expect(opened.data).toEqual({
    pms: partner.pms,
    environment: 'sandbox',
    api_url: `${svc.origin}/v1`,
    key_id,
    api_key: expect.stringMatching(/^svc_sandbox_/),
  });
  expect(opened.headers.get('cache-control')).toBe('no-store');
  const { api_key: key } = opened.data;
  expect((await svc.call('GET', '/partner', { key })).data.pms).toBe(partner.pms);
  expect(await open(secret)).toMatchObject({
    status: 401,
    error: {
      code: 'token_invalid',
      message: 'This link was opened on 2026-01-20 at 15:00 UTC, and it shows the key only once.',
    },
  });
  const log = await svc.call('GET', '/webhooks/audit_log?group=key', { key: partner.key });
  expect(log.data.items).toMatchObject([
    { action: 'key.link_opened', subject_id: key_id, address: '127.0.0.1' },
    { action: 'key.created', subject_id: key_id, details: { link_expires_at: link.expires_at } },
  ]);
  expect(JSON.stringify(log.data)).not.toContain('svc_kl_');
  expect(await findText(svc.db, secret)).toEqual([]);
  expect(await findText(svc.db, key)).toEqual([]);
});

test('of ten openings at once, one gets the key', async () => {
  const { pms } = await svc.newPartner();
  const { secret } = await createLink(pms);
  const answers = await Promise.all(Array.from({ length: 10 }, () => open(secret)));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
    200,
    ...Array(9).fill(401),
  ]);
  const { count } = await oneRowOf<{ count: number }>(
    svc.db,
    sql`
    select count(*)::integer as count from audit_entry e join partner p on p.id = e.partner_id
    where p.pms = ${pms} and e.action = 'key.link_opened'`,
  );
  expect(count).toBe(1);
});

test('a repeat with the same Idempotency-Key does not show the key again', async () => {
  const { pms } = await svc.newPartner();
  const { secret } = await createLink(pms);
  const again = () =>
    svc.call('POST', '/portal/key', { body: { secret }, headers: { 'idempotency-key': 'one' } });
  expect((await again()).status).toBe(200);
  expect((await again()).status).toBe(401);
});

test('a link ends after 7 days, and with its key', async () => {
  const { pms } = await svc.newPartner();
  const [late, revoked] = [await createLink(pms), await createLink(pms)];
  await svc.administer({ command: 'key revoke', key_id: revoked.key_id });
  expect(await open(revoked.secret)).toMatchObject({
    status: 401,
    error: { code: 'token_expired', message: expect.stringContaining('was revoked before') },
  });
  svc.clock.advance(7 * dayMs - 1);
  const { secret } = await createLink(pms);
  svc.clock.advance(1);
  expect(await open(late.secret)).toMatchObject({
    status: 401,
    error: { code: 'token_expired', message: expect.stringContaining('No one has seen the key') },
  });
  expect((await open(secret)).status).toBe(200);
});

test('a link of one partner shows only that partner’s key', async () => {
  const [one, other] = [await svc.newPartner(), await svc.newPartner()];
  const { secret } = await createLink(one.pms);
  await createLink(other.pms);
  const { data } = await svc.call('POST', '/portal/key', { key: other.key, body: { secret } });
  expect(data.pms).toBe(one.pms);
  const called = await svc.call('GET', '/partner', { key: data.api_key });
  expect(called.data.pms).toBe(one.pms);
});

test('wrong secrets are refused alike, and soon with 429', async () => {
  const limited = await startRunning({ rateLimitPerMinute: 5 });
  const guess = (secret: string) => limited.call('POST', '/portal/key', { body: { secret } });
  const first = await guess(`svc_kl_${'A'.repeat(43)}`);
  expect(first).toMatchObject({ status: 401, error: { code: 'token_invalid' } });
  expect((await guess('x')).error).toMatchObject({ message: first.error?.message });
  const statuses = [];
  for (let tried = 0; tried < 6; tried += 1) statuses.push((await guess('x')).status);
  expect(statuses.at(-1)).toBe(429);
  await limited.close();
});

test('where two people are needed, the link is created for the person who approves', async () => {
  const running = await startRunning({ approvals: { everyone_in_cents: 10_000, by_role: {} } });
  const { pms, id } = await running.newPartner();
  const [asking, approving] = [
    await signInOperator(running, { role: 'developer' }),
    await signInOperator(running, { role: 'developer' }),
  ];
  const asked = await asking.call('POST', '/commands/key-create', {
    body: { input: { pms, link: true }, reason: 'T-9' },
  });
  expect(JSON.stringify(asked.data)).not.toContain('svc_kl_');
  const linked = () =>
    rowsOf<object>(
      running.db,
      sql`select id from api_key where partner_id = ${id} and link_sha256 is not null`,
    );
  expect(await linked()).toEqual([]);
  const { approval_id } = asked.data;
  const approved = await approving.call('POST', '/commands/approval-approve', {
    body: { input: { approval_id } },
  });
  expect(approved.data.text).toContain('#svc_kl_');
  expect(approved.data.text).not.toContain('svc_sandbox_');
  expect(await linked()).toHaveLength(1);
  await running.close();
});

test('the first key of a new partner is handed over in the same way', async () => {
  const made = await svc.administer({ command: 'partner create', pms: 'willow', link: true });
  const { link } = (made as unknown as { result: Created }).result;
  expect((await open(link.url.split('#')[1] ?? '')).data.pms).toBe('willow');
});
