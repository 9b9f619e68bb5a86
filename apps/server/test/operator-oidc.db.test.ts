import { randomUUID } from 'node:crypto';
import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { afterAll, expect, test } from 'vitest';
import { type Called, callAt, startRunning, useService } from './harness.ts';
import { client, startOidcProvider } from './support/oidc-provider.ts';
import { inviteOperator, openOperatorSession, signInOperator } from './support/sign-in-operator.ts';
import { createSoftwarePasskey } from './support/software-passkey.ts';

// The provider's tokens have the system's time, so the service begins at it, too.
const oidc = await startOidcProvider();
const svc = await useService(
  { oidc: { issuer: oidc.issuer, ...client } },
  new Date().toISOString(),
);
const redirectUri = `${svc.origin}/operator/signed-in`;
oidc.allow(redirectUri);
afterAll(() => oidc.close());
const { host } = new URL(oidc.issuer);
const minuteMs = 60_000;

const at = (path: string) => `${svc.url}/operator/v1${path}`;
const post = (path: string, body: object, cookie = '') =>
  callAt(at(path), 'POST', { body, headers: { origin: svc.origin, cookie } });

/** The cookies that an answer sets, as a browser sends them. */
const cookiesOf = ({ headers }: Called) =>
  headers
    .getSetCookie()
    .map((line) => line.split(';', 1)[0] ?? '')
    .filter((pair) => !pair.endsWith('='))
    .join('; ');

/** Adds a person's account at the provider. */
function addAccount(email = `olga-${randomUUID()}@example.com`, isVerified = true) {
  const sub = randomUUID();
  oidc.accounts.set(sub, { email, email_verified: isVerified });
  return { sub, email };
}

async function invited(email: string, own: { name?: string; partners?: string[] } = {}) {
  const name = own.name ?? `Olga ${randomUUID()}`;
  const answer = await svc.administer({
    command: 'operator invite',
    role: 'admin',
    ...own,
    name,
    email,
  });
  if (!answer.ok) throw new Error(answer.message);
  return { name, ...(answer.result as { operator_id: string; url: string; expires_at: null }) };
}

/** Runs `work` this many minutes later by the service's clock. The provider's clock does not move. */
async function later<T>(minutes: number, work: () => Promise<T>): Promise<T> {
  svc.clock.advance(minutes * minuteMs);
  const result = await work();
  svc.clock.advance(-minutes * minuteMs);
  return result;
}

type Change = (url: URL) => void;

/** Begins at the service and visits the provider. `change` alters the address in between. */
async function visit(
  sub: string,
  { browser = oidc.openBrowser(), change, from = '/sign_in/oidc', cookie = '' }: Visiting = {},
) {
  oidc.set({ signsInAs: sub });
  const begun = await post(from, { return_to: '/operator/queues' }, cookie);
  if (begun.status !== 200) return { begun, query: '', cookie: '' };
  const url = new URL(begun.data.url);
  change?.(url);
  return { begun, query: await browser(url.href), cookie: cookiesOf(begun) };
}

interface Visiting {
  readonly browser?: ReturnType<typeof oidc.openBrowser>;
  readonly change?: Change;
  readonly from?: string;
  readonly cookie?: string;
}

const finish = ({ query, cookie }: { query: string; cookie: string }) =>
  post('/sign_in/oidc/finish', { query }, cookie);

const signIn = async (sub: string, how: Visiting = {}) => finish(await visit(sub, how));

const sessionOf = (signedIn: Called) =>
  callAt(at('/session'), 'GET', { headers: { cookie: cookiesOf(signedIn) } });

const refusalsOf = (subject: string) =>
  rowsOf<{ details: { reason: string }; subject_id: string | null }>(
    svc.db,
    sql`
    select details, subject_id from audit_entry
    where action = 'operator.refused' and details ->> 'subject' = ${subject}`,
  );

test('an invited person signs in with the verified address, and from then on with the same account', async () => {
  const { sub, email } = addAccount();
  const { operator_id, url, expires_at } = await invited(email.toUpperCase());
  expect([url, expires_at]).toEqual([`${svc.origin}/operator`, null]);
  const signedIn = await signIn(sub);
  expect(signedIn.data).toEqual({ return_to: '/operator/queues' });
  expect((await sessionOf(signedIn)).data).toMatchObject({ operator_id, is_enrolling: false });
  oidc.accounts.set(sub, { email: 'married@example.com', email_verified: false });
  expect((await sessionOf(await signIn(sub))).data.operator_id).toBe(operator_id);
  const entries = await rowsOf<{ action: string; details: object }>(
    svc.db,
    sql`select action, details from audit_entry where credential_id = ${operator_id} order by id`,
  );
  expect(entries.map(({ action }) => action)).toEqual([
    'operator.account_bound',
    'operator.session_opened',
    'operator.session_opened',
  ]);
  expect(entries[1]?.details).toEqual({ method: 'oidc' });
});

test('the sign-in page learns the provider', async () => {
  expect((await callAt(at('/sign_in'), 'GET', {})).data).toEqual({ provider: host });
});

test('somebody who was not invited is told whom to ask, and the audit log has it', async () => {
  const { sub, email } = addAccount();
  const refused = await signIn(sub);
  expect(refused).toMatchObject({ status: 403, error: { code: 'not_invited' } });
  expect(refused.error?.message).toContain(email);
  expect(refused.error?.message).toContain('Ask an admin');
  expect(cookiesOf(refused)).toBe('');
  expect(await refusalsOf(sub)).toMatchObject([{ details: { reason: 'not_invited' } }]);
});

test('an address that the provider has not verified lets no one in', async () => {
  const { email } = addAccount();
  await invited(email);
  const eve = addAccount(email, false);
  expect(await signIn(eve.sub)).toMatchObject({ status: 403, error: { code: 'not_invited' } });
  const silent = randomUUID();
  oidc.accounts.set(silent, {});
  expect((await signIn(silent)).error?.message).toContain('does not say your e-mail address');
  expect(await refusalsOf(eve.sub)).toMatchObject([{ details: { reason: 'email_not_verified' } }]);
});

test('an account of Microsoft Entra ID needs an address whose domain is verified', async () => {
  const { email } = addAccount();
  const { operator_id } = await invited(email);
  for (const domain of [{}, { xms_edov: false }]) {
    const eve = randomUUID();
    oidc.accounts.set(eve, { email, ...domain });
    expect((await signIn(eve)).error?.code).toBe('not_invited');
    expect(await refusalsOf(eve)).toMatchObject([{ details: { reason: 'email_not_verified' } }]);
  }
  const own = randomUUID();
  oidc.accounts.set(own, { email, xms_edov: true });
  expect((await sessionOf(await signIn(own))).data.operator_id).toBe(operator_id);
});

test('another account with the same address is refused until an admin lets it in', async () => {
  const { sub, email } = addAccount();
  const { operator_id } = await invited(email);
  expect((await signIn(sub)).status).toBe(200);
  const successor = addAccount(email);
  expect((await signIn(successor.sub)).error?.code).toBe('not_invited');
  expect(await refusalsOf(successor.sub)).toMatchObject([
    { subject_id: operator_id, details: { reason: 'other_account' } },
  ]);
  const command = 'operator email';
  const letIn = await svc.administer({ command, operator_id, email }, { breakGlass: true });
  expect(letIn.ok).toBe(true);
  expect((await signIn(successor.sub)).status).toBe(200);
  expect((await signIn(sub)).error?.code).toBe('not_invited');
});

test('an ended person is refused, and can be invited again', async () => {
  const { sub, email } = addAccount();
  const { operator_id } = await invited(email);
  const signedIn = await signIn(sub);
  await svc.administer({ command: 'operator end', operator_id });
  expect((await sessionOf(signedIn)).status).toBe(401);
  expect((await signIn(sub)).error?.message).toContain('has ended');
  expect(await refusalsOf(sub)).toMatchObject([{ details: { reason: 'ended' } }]);
  const again = await invited(email);
  expect((await sessionOf(await signIn(sub))).data.operator_id).toBe(again.operator_id);
});

test('two first sign-ins at the same time both succeed', async () => {
  const { sub, email } = addAccount();
  await invited(email);
  const visits = [await visit(sub), await visit(sub)];
  const answers = await Promise.all(visits.map(finish));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
});

test('an e-mail address belongs to one person', async () => {
  const { email } = addAccount();
  await invited(email);
  await expect(invited(email)).rejects.toThrow('has this e-mail address already');
});

test('the answer of the provider works once, in the browser that began, within 10 minutes', async () => {
  const { sub, email } = addAccount();
  await invited(email);
  const first = await visit(sub);
  const { begun } = first;
  expect(begun.headers.getSetCookie()[0]).toMatch(
    /^svc_operator_visit=svc_ov_\w+; .*HttpOnly.*SameSite=Strict/,
  );
  const other = await visit(sub);
  const message = 'This sign-in took longer than 10 minutes';
  for (const cookie of ['', other.cookie]) {
    const refused = await finish({ query: first.query, cookie });
    expect(refused).toMatchObject({ status: 401, error: { code: 'token_invalid' } });
    expect(refused.error?.message).toContain(message);
  }
  expect((await finish(first)).status).toBe(200);
  expect((await finish(first)).error?.code).toBe('token_invalid');
  const late = await visit(sub);
  expect((await later(10, () => finish(late))).error?.code).toBe('token_invalid');
});

test('two tabs of a browser sign in, in any order', async () => {
  const { sub, email } = addAccount();
  await invited(email);
  const first = await visit(sub);
  const second = await visit(sub, { cookie: first.cookie });
  expect(second.cookie).toBe(first.cookie);
  const challenge = ({ begun }: typeof first) =>
    new URL(begun.data.url).searchParams.get('code_challenge');
  expect(challenge(second)).not.toBe(challenge(first));
  expect((await finish(second)).status).toBe(200);
  expect((await finish(first)).status).toBe(200);
  const forged = await visit(sub, { cookie: 'svc_operator_visit=svc_ov_short' });
  expect(forged.cookie).not.toContain('svc_ov_short');
});

test('a code, a nonce, a challenge or an issuer of another visit is refused', async () => {
  const { sub, email } = addAccount();
  await invited(email);
  const used = await visit(sub);
  expect((await finish(used)).status).toBe(200);
  const usedCode = new URLSearchParams(used.query).get('code') ?? '';
  const replaced = (query: string, name: string, value: string) => {
    const parameters = new URLSearchParams(query);
    parameters.set(name, value);
    return parameters.toString();
  };
  const stranger = (await visit(sub)).begun.data.url as string;
  const of = (name: string) => new URL(stranger).searchParams.get(name) ?? '';
  const cases: Record<string, () => Promise<{ query: string; cookie: string }>> = {
    'a used code': async () => {
      const own = await visit(sub);
      return { ...own, query: replaced(own.query, 'code', usedCode) };
    },
    'another nonce': () =>
      visit(sub, { change: (url) => url.searchParams.set('nonce', of('nonce')) }),
    'another challenge': () =>
      visit(sub, {
        change: (url) => url.searchParams.set('code_challenge', of('code_challenge')),
      }),
    'another issuer': async () => {
      const own = await visit(sub);
      return { ...own, query: replaced(own.query, 'iss', 'https://evil.example') };
    },
    'no code': async () => {
      const own = await visit(sub);
      return { ...own, query: `state=${new URLSearchParams(own.query).get('state')}` };
    },
  };
  for (const [name, change] of Object.entries(cases)) {
    const { status, error } = await finish(await change());
    expect([name, status, error?.code]).toEqual([name, 401, 'invalid_credentials']);
    expect(error?.message).toContain('could not be verified. Start again.');
  }
});

test('a provider that refuses or does not answer is named, with what to do', async () => {
  const { sub } = addAccount();
  oidc.set({ denies: true });
  const denied = await signIn(sub);
  oidc.set({ denies: false });
  expect(denied).toMatchObject({ status: 401, error: { code: 'invalid_credentials' } });
  expect(denied.error?.message).toContain(`${host} did not sign you in (access_denied)`);
  const begun = await visit(sub);
  oidc.set({ isDown: true });
  const down = await finish(begun);
  // The provider is known for an hour. Then it is asked again what it offers.
  const stillDown = await later(61, () => post('/sign_in/oidc', { return_to: '/operator' }));
  oidc.set({ isDown: false });
  for (const { status, error } of [down, stillDown]) {
    expect([status, error?.code]).toEqual([503, 'provider_unavailable']);
    expect(error?.message).toContain(`${host} does not answer. Try again in a minute.`);
  }
});

test('the page to return to is below /operator', async () => {
  const begin = (return_to: string) => post('/sign_in/oidc', { return_to });
  for (const path of [
    'https://evil.example',
    '//evil.example',
    '/operator.evil.example',
    '/operator\\evil',
    '/portal',
    '/operator/ a',
  ]) {
    expect([path, (await begin(path)).status]).toEqual([path, 422]);
  }
  for (const path of ['/operator', '/operator/queues?snoozed=true', '/operator?a=b']) {
    expect([path, (await begin(path)).status]).toEqual([path, 200]);
  }
});

test('another site can neither begin nor finish a sign-in', async () => {
  const headers = { origin: 'https://evil.example' };
  for (const [path, body] of [
    ['/sign_in/oidc', { return_to: '/operator' }],
    ['/sign_in/oidc/finish', { query: 'code=a&state=b' }],
  ] as const) {
    expect((await callAt(at(path), 'POST', { body, headers })).error?.code).toBe(
      'origin_not_allowed',
    );
  }
});

test('neither codes nor tokens nor the client’s secret are logged', async () => {
  const { sub, email } = addAccount();
  await invited(email);
  const own = await visit(sub, { change: (url) => url.searchParams.set('nonce', 'another') });
  await finish(own);
  const log = svc.lines.join('');
  expect(log).toContain('sign-in at the provider failed');
  const code = new URLSearchParams(own.query).get('code') ?? '';
  for (const secret of [code, client.clientSecret, own.cookie.split('=')[1] ?? '', email, 'eyJ']) {
    expect(log).not.toContain(secret);
  }
});

test('a guarded action needs a new sign-in at the provider by the same person', async () => {
  const { sub, email } = addAccount();
  await invited(email);
  const browser = oidc.openBrowser();
  const cookie = cookiesOf(await signIn(sub, { browser }));
  const { pms } = await svc.newPartner();
  const create = () => post('/commands/key-create', { input: { pms } }, cookie);
  // Nothing says when the person proved at the provider who they are.
  expect((await create()).error?.code).toBe('fresh_proof_required');
  expect((await post('/session/prove', {}, cookie)).error?.message).toContain(host);
  const proof = { from: '/session/prove/oidc', cookie, browser };
  const begun = await visit(sub, proof);
  const parameters = new URL(begun.begun.data.url).searchParams;
  expect([parameters.get('max_age'), parameters.get('prompt')]).toEqual(['0', 'login']);
  expect((await finish(begun)).data).toEqual({ return_to: '/operator/queues' });
  expect((await create()).status).toBe(200);
  expect((await later(6, create)).status).toBe(403);
  const late = await visit(sub, proof);
  expect(await later(6, () => finish(late))).toMatchObject({
    status: 403,
    error: { code: 'fresh_proof_required', message: expect.stringContaining('sign in again') },
  });
  const eve = addAccount();
  await invited(eve.email);
  const others = await visit(eve.sub, { ...proof, browser: oidc.openBrowser() });
  expect(await finish(others)).toMatchObject({
    status: 401,
    error: { message: expect.stringContaining('not the person of your session') },
  });
  expect(await refusalsOf(eve.sub)).toMatchObject([{ details: { reason: 'other_person' } }]);
});

test('a proof without a new sign-in is refused', async () => {
  const { sub, email } = addAccount();
  await invited(email);
  const browser = oidc.openBrowser();
  const cookie = cookiesOf(await signIn(sub, { browser }));
  const change: Change = ({ searchParams }) => {
    searchParams.delete('max_age');
    searchParams.delete('prompt');
  };
  const silent = await visit(sub, { from: '/session/prove/oidc', cookie, browser, change });
  expect((await finish(silent)).error?.code).toBe('fresh_proof_required');
});

test('a proof for a session that was ended changes nothing', async () => {
  const { sub, email } = addAccount();
  await invited(email);
  const cookie = cookiesOf(await signIn(sub));
  const begun = await visit(sub, { from: '/session/prove/oidc', cookie });
  await post('/session/close', {}, cookie);
  expect((await finish(begun)).status).toBe(401);
});

test('a passkey of somebody with an account confirms actions, but does not sign in', async () => {
  const { sub, email } = addAccount();
  const { operator_id } = await invited(email);
  await signIn(sub);
  const link = await svc.administer(
    { command: 'operator link', operator_id },
    { breakGlass: true },
  );
  if (!link.ok) throw new Error(link.message);
  // The person signs in with this link when the provider is down.
  const opened = await openOperatorSession(svc, (link.result as { url: string }).url);
  const cookie = cookiesOf(opened);
  const passkey = createSoftwarePasskey(svc.origin);
  const enroll = await post('/factors/passkey/options', {}, cookie);
  const response = passkey.create(enroll.data.options);
  expect((await post('/factors/passkey', { response }, cookie)).status).toBe(200);
  const signing = await post('/sign_in/passkey/options', {});
  const answer = { response: passkey.get(signing.data.options) };
  expect((await post('/sign_in/passkey', answer)).error?.message).toContain(host);
  const proving = await post('/session/prove/options', {}, cookie);
  const proof = { passkey: passkey.get(proving.data.options) };
  expect((await post('/session/prove', proof, cookie)).status).toBe(200);
});

test('somebody without an e-mail address still gets a link', async () => {
  const { url } = await inviteOperator(svc, { role: 'admin' });
  expect(url).toContain('#svc_oi_');
  const person = await signInOperator(svc, { role: 'admin' });
  expect((await person.call('GET', '/factors')).data.provider).toBeNull();
});

test('in production the visit is bound to the console’s host, over https', async () => {
  const running = await startRunning({
    environment: 'production',
    publicOrigin: 'https://svc.example',
    operatorOrigin: 'https://ops.svc.example',
    trustedProxies: ['127.0.0.1'],
    oidc: { issuer: oidc.issuer, ...client },
  });
  const begun = await callAt(`${running.url}/operator/v1/sign_in/oidc`, 'POST', {
    body: { return_to: '/operator' },
    headers: { origin: 'https://ops.svc.example', 'x-forwarded-host': 'ops.svc.example' },
  });
  expect(begun.headers.get('set-cookie')).toMatch(
    /^__Host-svc_operator_visit=svc_ov_\w+; .*Path=\/; .*HttpOnly; Secure; SameSite=Strict/,
  );
  expect(new URL(begun.data.url).searchParams.get('redirect_uri')).toBe(
    'https://ops.svc.example/operator/signed-in',
  );
  await running.close();
});
