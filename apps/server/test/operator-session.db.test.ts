import { createHash } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { expect, test } from 'vitest';
import { callAt, startRunning, useService } from './harness.ts';
import { inviteOperator, openOperatorSession, signInOperator } from './support/sign-in-operator.ts';

const svc = await useService();
const minuteMs = 60_000;
const production = { environment: 'production', publicOrigin: 'https://svc.example' } as const;

/** Sends a request for a host, as a proxy does. `fetch` sets Host itself. */
function fetchAt(
  url: string,
  host: string,
  { origin, body }: { readonly origin?: string; readonly body?: string } = {},
): Promise<{ status: number | undefined; headers: IncomingMessage['headers'] }> {
  return new Promise((resolve, reject) => {
    const headers = {
      host,
      ...(origin !== undefined && { origin }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    };
    request(url, { method: body === undefined ? 'GET' : 'POST', headers }, (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers }));
    })
      .on('error', reject)
      .end(body);
  });
}

const statusOf = async (person: Awaited<ReturnType<typeof signInOperator>>, headers = {}) =>
  (await person.call('GET', '/session', { headers })).status;

test('an invite opens one session, and works once', async () => {
  const { url, operator_id } = await inviteOperator(svc, { name: 'Olga Reyes', role: 'finance' });
  expect(url).toMatch(`${svc.origin}/operator#svc_oi_`);
  const opened = await openOperatorSession(svc, url);
  expect(opened.data).toEqual({
    id: expect.stringMatching(/^ops_/),
    operator_id,
    name: 'Olga Reyes',
    role: 'finance',
    permissions: ['read', 'personal', 'work', 'money'],
    environment: 'sandbox',
    is_enrolling: false,
    partners: null,
    expires_at: '2026-01-21T03:00:00.000Z',
    proven_at: '2026-01-20T15:00:00.000Z',
  });
  const cookie = opened.headers.get('set-cookie') ?? '';
  expect(cookie).toMatch(
    /^svc_operator=svc_os_\w+; Path=\/; Expires=.*; HttpOnly; SameSite=Strict$/,
  );
  const read = await callAt(`${svc.url}/operator/v1/session`, 'GET', {
    headers: { cookie: cookie.split(';', 1)[0] ?? '' },
  });
  expect(read.data).toEqual(opened.data);
  expect(read.headers.get('cache-control')).toBe('no-store');
  expect(await openOperatorSession(svc, url)).toMatchObject({
    status: 401,
    error: { code: 'token_invalid', message: expect.stringContaining('operator invite') },
  });
  const entries = await rowsOf<{ action: string; via: string; by: string }>(
    svc.db,
    sql`
    select action, via, credential_id as by from audit_entry
    where partner_id = 'operator' and (subject_id = ${operator_id} or credential_id = ${operator_id})
    order by id`,
  );
  expect(entries).toEqual([
    { action: 'operator.invited', via: 'cli', by: 'ops-ada' },
    { action: 'operator.session_opened', via: 'operator', by: operator_id },
  ]);
});

test('of two that use a link at once, one gets in', async () => {
  const { url } = await inviteOperator(svc, { role: 'auditor' });
  const answers = await Promise.all([1, 2, 3].map(() => openOperatorSession(svc, url)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 401)).toHaveLength(2);
});

test('secrets are stored as hashes', async () => {
  const { headers } = await signInOperator(svc, { role: 'admin' });
  const secret = headers.cookie.split('=')[1] ?? '';
  const hash = createHash('sha256').update(secret).digest();
  const rows = await rowsOf<object>(
    svc.db,
    sql`select from operator_session where secret_sha256 = ${hash}`,
  );
  expect(rows).toHaveLength(1);
  expect(svc.lines.join('')).not.toContain(secret);
});

test('a link expires after 15 minutes', async () => {
  const { url } = await inviteOperator(svc, { role: 'admin' });
  svc.clock.advance(15 * minuteMs);
  expect((await openOperatorSession(svc, url)).status).toBe(401);
});

test('a session ends after 15 idle minutes; a page that only refreshes itself does not keep it open', async () => {
  const [used, idle] = [
    await signInOperator(svc, { role: 'admin' }),
    await signInOperator(svc, { role: 'admin' }),
  ];
  svc.clock.advance(14 * minuteMs);
  expect(await statusOf(used)).toBe(200);
  expect(await statusOf(idle, { 'svc-background': '1' })).toBe(200);
  svc.clock.advance(minuteMs);
  expect(await statusOf(used)).toBe(200);
  expect(await idle.call('GET', '/session')).toMatchObject({
    status: 401,
    error: { code: 'invalid_credentials', message: 'Your session has ended. Sign in again.' },
  });
});

test('a session in use ends after 12 hours', async () => {
  const person = await signInOperator(svc, { role: 'admin' });
  for (let use = 1; use <= 51; use += 1) {
    svc.clock.advance(14 * minuteMs);
    expect(await statusOf(person)).toBe(200);
  }
  svc.clock.advance(6 * minuteMs);
  expect(await statusOf(person)).toBe(401);
});

test('signing out ends the session and removes the cookie', async () => {
  const person = await signInOperator(svc, { role: 'support' });
  const closed = await person.call('POST', '/session/close');
  expect(closed.status).toBe(200);
  expect(closed.headers.get('set-cookie')).toMatch(/^svc_operator=; .*Expires=Thu, 01 Jan 1970/);
  expect(await statusOf(person)).toBe(401);
});

test('a person who is limited to partners sees which', async () => {
  const [mine] = [await svc.newPartner(), await svc.newPartner()];
  const person = await signInOperator(svc, { role: 'support', partners: [mine.pms] });
  expect((await person.call('GET', '/session')).data.partners).toEqual([mine.pms]);
  expect(
    await svc.administer({
      command: 'operator invite',
      name: 'Ines Moor',
      role: 'support',
      partners: [mine.pms, 'no-such-portal'],
    }),
  ).toEqual({ ok: false, message: expect.stringContaining('"no-such-portal"') });
});

test('in production, the console is off without an origin for it', async () => {
  const { administer, url, lines, close } = await startRunning(production);
  expect(lines.join('')).toContain('The operator’s console is off.');
  for (const path of ['/operator', '/operator/v1/session']) {
    expect((await fetch(url + path)).status).toBe(404);
  }
  expect(await administer({ command: 'operator invite', name: 'Olga', role: 'admin' })).toEqual({
    ok: false,
    message: expect.stringContaining('SVC_OPERATOR_ORIGIN'),
  });
  await close();
});

test('in production, the console has its own host, which answers nothing else', async () => {
  const running = await startRunning({ ...production, operatorOrigin: 'https://ops.svc.example' });
  const status = async (host: string, path: string) =>
    (await fetchAt(`${running.url}${path}`, host)).status;
  for (const path of ['/operator/v1/session', '/%6Fperator/v1/session']) {
    expect([path, await status('svc.example', path)]).toEqual([path, 404]);
    expect([path, await status('ops.svc.example', path)]).toEqual([path, 401]);
    expect([path, await status('OPS.svc.example', path)]).toEqual([path, 401]);
  }
  expect([
    await status('svc.example', '/operator'),
    await status('ops.svc.example', '/operator'),
  ]).toEqual([404, 200]);
  for (const path of ['/v1/settlements', '/v1/openapi.json', '/portal', '/docs/style.css', '/']) {
    expect([path, await status('ops.svc.example', path)]).toEqual([path, 404]);
    expect([path, await status('svc.example', path)]).not.toContain(404);
  }
  for (const host of ['ops.svc.example', 'svc.example', '10.0.0.7']) {
    expect(await status(host, '/livez')).toBe(200);
  }
  const { url } = await inviteOperator(running, { role: 'admin' });
  expect(url).toMatch('https://ops.svc.example/operator#');
  const body = JSON.stringify({ secret: url.split('#')[1] });
  const open = (origin: string) =>
    fetchAt(`${running.url}/operator/v1/session/open`, 'ops.svc.example', { origin, body });
  expect((await open('https://svc.example')).status).toBe(403);
  const opened = await open('https://ops.svc.example');
  expect(opened.status).toBe(200);
  expect(opened.headers['set-cookie']?.[0]).toMatch(/^__Host-svc_operator=svc_os_\w+; .*Secure/);
  await running.close();
});
