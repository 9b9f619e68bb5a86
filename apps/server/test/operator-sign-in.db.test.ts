import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { expect, test } from 'vitest';
import { type Called, callAt, type Running, startRunning, useService } from './harness.ts';
import { inviteOperator, signInOperator } from './support/sign-in-operator.ts';
import { createSoftwarePasskey } from './support/software-passkey.ts';

const svc = await useService();
const minuteMs = 60_000;
const password = 'four words of my own';

type Person = Awaited<ReturnType<typeof signInOperator>>;

/** A call of somebody who is not signed in. */
const post = (path: string, body: object, running: Pick<Running, 'url' | 'origin'> = svc) =>
  callAt(`${running.url}/operator/v1${path}`, 'POST', {
    body,
    headers: { origin: running.origin },
  });

const sessionOf = (signedIn: Called) =>
  callAt(`${svc.url}/operator/v1/session`, 'GET', {
    headers: { cookie: signedIn.headers.get('set-cookie')?.split(';', 1)[0] ?? '' },
  });

async function enrollPasskey(person: Person) {
  const passkey = createSoftwarePasskey(svc.origin);
  const { data } = await person.call('POST', '/factors/passkey/options');
  const response = passkey.create(data.options);
  const enrolled = await person.call('POST', '/factors/passkey', { body: { response } });
  return { passkey, enrolled };
}

async function enrollPassword(person: Person) {
  const { data } = await person.call('POST', '/factors/password/options');
  const totp = new TOTP({ secret: Secret.fromBase32(data.secret) });
  const code = () => totp.generate({ timestamp: svc.clock.now().getTime() });
  const enrolled = await person.call('POST', '/factors/password', {
    body: { password, secret: data.secret, code: code() },
  });
  return { code, enrolled, uri: data.uri as string };
}

async function signInWith(passkey: ReturnType<typeof createSoftwarePasskey>, how = {}) {
  const { data } = await post('/sign_in/passkey/options', {});
  return post('/sign_in/passkey', { response: passkey.get(data.options, how) });
}

test('a passkey is enrolled once and signs in', async () => {
  const person = await signInOperator(svc, { role: 'finance' });
  const { passkey, enrolled } = await enrollPasskey(person);
  expect(enrolled.data.recovery_codes).toHaveLength(10);
  const signedIn = await signInWith(passkey);
  expect(signedIn.data).toMatchObject({ operator_id: person.operatorId, is_enrolling: false });
  expect((await sessionOf(signedIn)).data.operator_id).toBe(person.operatorId);
  expect((await person.call('GET', '/factors')).data).toMatchObject({
    passkeys: [{ last_used_at: svc.clock.now().toISOString() }],
    has_password: false,
    recovery_codes_left: 10,
  });
});

test('the answer of a passkey works once, for this site, and only if the person was verified', async () => {
  const person = await signInOperator(svc, { role: 'risk' });
  const { passkey } = await enrollPasskey(person);
  const { data } = await post('/sign_in/passkey/options', {});
  const response = passkey.get(data.options);
  expect((await post('/sign_in/passkey', { response })).status).toBe(200);
  expect(await post('/sign_in/passkey', { response })).toMatchObject({
    status: 401,
    error: { code: 'token_invalid' },
  });
  const stranger = createSoftwarePasskey(svc.origin);
  for (const answer of [
    await signInWith(passkey, { from: 'https://evil.example' }),
    await signInWith(passkey, { verified: false }),
    await signInWith(stranger),
  ]) {
    expect(answer).toMatchObject({ status: 401, error: { code: 'invalid_credentials' } });
  }
  const late = await post('/sign_in/passkey/options', {});
  svc.clock.advance(5 * minuteMs);
  const tooLate = { response: passkey.get(late.data.options) };
  expect((await post('/sign_in/passkey', tooLate)).error?.code).toBe('token_invalid');
});

test('a challenge of one person is not answered by another', async () => {
  const [ada, eve] = [
    await signInOperator(svc, { role: 'admin' }),
    await signInOperator(svc, { role: 'admin' }),
  ];
  const { data } = await ada.call('POST', '/factors/passkey/options');
  const response = createSoftwarePasskey(svc.origin).create(data.options);
  expect((await eve.call('POST', '/factors/passkey', { body: { response } })).status).toBe(401);
  const { passkey } = await enrollPasskey(eve);
  const prove = await ada.call('POST', '/session/prove/options');
  const answer = passkey.get(prove.data.options);
  expect(await ada.call('POST', '/session/prove', { body: { passkey: answer } })).toMatchObject({
    status: 401,
    error: { code: 'invalid_credentials' },
  });
});

test('a password signs in together with a code of the app, and each code works once', async () => {
  const person = await signInOperator(svc, { role: 'support' });
  const { code, enrolled, uri } = await enrollPassword(person);
  expect(uri).toMatch(/^otpauth:\/\/totp\/Svc%20operator:/);
  expect(enrolled.data.recovery_codes).toHaveLength(10);
  const signIn = (own = {}) =>
    post('/sign_in/password', { name: person.name.toUpperCase(), password, code: code(), ...own });
  // The code of the enrollment is used up.
  expect((await signIn()).status).toBe(401);
  svc.clock.advance(30_000);
  const both = await Promise.all([signIn(), signIn()]);
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  svc.clock.advance(30_000);
  const refusals = [
    await signIn({ password: 'four words of yours' }),
    await signIn({ code: '000000' }),
    await signIn({ name: 'Nora Nemo' }),
  ];
  const message = 'The name, the password or the code is wrong, or the code was used before.';
  for (const { status, error } of refusals) {
    expect([status, error?.code, error?.message]).toEqual([401, 'invalid_credentials', message]);
  }
});

test('a short password, or a code of another app, is not enrolled', async () => {
  const person = await signInOperator(svc, { role: 'admin' });
  const { data } = await person.call('POST', '/factors/password/options');
  const enroll = (own: object) =>
    person.call('POST', '/factors/password', {
      body: { password, secret: data.secret, code: '000000', ...own },
    });
  expect((await enroll({ password: 'elevenchars' })).error).toMatchObject({
    param: 'password',
    message: expect.stringContaining('at least 12 characters'),
  });
  expect((await enroll({})).error?.param).toBe('code');
});

test('after ten attempts a name waits 15 minutes, whether somebody has it or not', async () => {
  const person = await signInOperator(svc, { role: 'admin' });
  const { code } = await enrollPassword(person);
  svc.clock.advance(20 * minuteMs);
  for (const name of [person.name, `Nora ${randomUUID()}`]) {
    const attempt = (own = {}) =>
      post('/sign_in/password', { name, password: 'wrong', code: '000000', ...own });
    for (let tries = 1; tries <= 10; tries += 1) expect((await attempt()).status).toBe(401);
    expect(await attempt({ password, code: code() })).toMatchObject({
      status: 429,
      error: { code: 'rate_limited', message: expect.stringContaining('15 minutes') },
    });
  }
  svc.clock.advance(15 * minuteMs);
  const answer = await post('/sign_in/password', { name: person.name, password, code: code() });
  expect(answer.status).toBe(200);
  // Each of 22 passwords takes 0.2 s of an idle processor.
}, 120_000);

test('a recovery code works once, removes what was lost, and leads to a new enrollment', async () => {
  const person = await signInOperator(svc, { role: 'finance' });
  const { passkey, enrolled } = await enrollPasskey(person);
  const [first = '', second = ''] = enrolled.data.recovery_codes as string[];
  const recover = (code: string) => post('/sign_in/recovery', { name: person.name, code });
  expect((await recover('wrong-codes')).status).toBe(401);
  const recovered = await recover(first.toUpperCase().replace('-', ' '));
  expect(recovered.data.is_enrolling).toBe(true);
  expect((await recover(first)).status).toBe(401);
  expect((await signInWith(passkey)).status).toBe(401);
  expect((await person.call('GET', '/session')).status).toBe(401);
  const headers = {
    origin: svc.origin,
    cookie: recovered.headers.get('set-cookie')?.split(';', 1)[0] ?? '',
  };
  const again: Person = {
    ...person,
    headers,
    call: (method, path, options = {}) =>
      callAt(`${svc.url}/operator/v1${path}`, method, { ...options, headers }),
  };
  expect(await again.call('GET', '/sessions')).toMatchObject({
    status: 403,
    error: { code: 'enrollment_required' },
  });
  const { enrolled: enrolledAgain } = await enrollPasskey(again);
  expect(enrolledAgain.data.recovery_codes).toHaveLength(10);
  expect(enrolledAgain.data.recovery_codes).not.toContain(second);
  expect((await recover(second)).status).toBe(401);
  expect((await again.call('GET', '/sessions')).status).toBe(200);
});

test('an action with a fresh proof needs a new one after 5 minutes', async () => {
  const person = await signInOperator(svc, { role: 'developer' });
  const { passkey } = await enrollPasskey(person);
  const { pms } = await svc.newPartner();
  const create = () => person.call('POST', '/commands/key-create', { body: { input: { pms } } });
  svc.clock.advance(5 * minuteMs);
  expect((await create()).status).toBe(200);
  svc.clock.advance(1);
  expect(await create()).toMatchObject({
    status: 403,
    error: { code: 'fresh_proof_required', message: expect.stringContaining('session/prove') },
  });
  const prove = (body: object) => person.call('POST', '/session/prove', { body });
  expect((await prove({})).status).toBe(422);
  const { data } = await person.call('POST', '/session/prove/options');
  expect(data.options.allowCredentials).toHaveLength(1);
  expect((await prove({ passkey: passkey.get(data.options) })).data).toEqual({
    proven_at: svc.clock.now().toISOString(),
  });
  expect((await create()).status).toBe(200);
});

test('in the sandbox, a person without a passkey proves it by asking', async () => {
  const person = await signInOperator(svc, { role: 'developer' });
  svc.clock.advance(6 * minuteMs);
  const { pms } = await svc.newPartner();
  const create = () => person.call('POST', '/commands/key-create', { body: { input: { pms } } });
  expect((await create()).status).toBe(403);
  expect((await person.call('POST', '/session/prove', { body: {} })).status).toBe(200);
  expect((await create()).status).toBe(200);
});

test('people end their own sessions, and admins everybody’s', async () => {
  const [admin, person, other] = [
    await signInOperator(svc, { role: 'admin' }),
    await signInOperator(svc, { role: 'support' }),
    await signInOperator(svc, { role: 'support' }),
  ];
  const own = (await person.call('GET', '/sessions')).data.items;
  expect(own).toMatchObject([{ name: person.name, is_yours: true }]);
  const others = (await other.call('GET', '/sessions')).data.items;
  expect((await person.call('POST', `/sessions/${others[0].id}/end`)).status).toBe(404);
  const all = (await admin.call('GET', '/sessions')).data.items.map((it: { id: string }) => it.id);
  expect(all).toEqual(expect.arrayContaining([own[0].id, others[0].id]));
  expect((await admin.call('POST', `/sessions/${others[0].id}/end`)).status).toBe(200);
  expect((await other.call('GET', '/session')).status).toBe(401);
  expect((await person.call('POST', `/sessions/${own[0].id}/end`)).status).toBe(200);
  expect((await person.call('GET', '/session')).status).toBe(401);
});

test('the last way to sign in cannot be removed', async () => {
  const person = await signInOperator(svc, { role: 'admin' });
  await enrollPasskey(person);
  const ids = async () =>
    (await person.call('GET', '/factors')).data.passkeys.map(({ id }: { id: string }) => id);
  const [only] = await ids();
  const remove = (id: string) => person.call('POST', `/factors/passkeys/${id}/remove`);
  expect((await remove(only)).status).toBe(409);
  await enrollPasskey(person);
  expect((await remove(only)).status).toBe(200);
  expect(await ids()).toHaveLength(1);
  expect((await remove(only)).status).toBe(404);
});

test('in production, an invite leads to nothing but an enrollment, within 15 minutes', async () => {
  const origin = 'https://ops.svc.example';
  const running = await startRunning({
    environment: 'production',
    publicOrigin: 'https://svc.example',
    operatorOrigin: origin,
    trustedProxies: ['127.0.0.1'],
  });
  const invite = async () => (await inviteOperator(running, { role: 'admin' })).url.split('#')[1];
  const proxied = { origin, 'x-forwarded-host': 'ops.svc.example' };
  const call = (method: string, path: string, options: object = {}) =>
    callAt(`${running.url}/operator/v1${path}`, method, options);
  const open = async () => {
    const body = { secret: await invite() };
    const opened = await call('POST', '/session/open', { body, headers: proxied });
    const cookie = opened.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
    return { opened, headers: { ...proxied, cookie } };
  };
  const { opened, headers } = await open();
  expect(opened.data.is_enrolling).toBe(true);
  for (const path of ['/sessions', '/openapi.json']) {
    expect((await call('GET', path, { headers })).error?.code).toBe('enrollment_required');
  }
  const late = await open();
  running.clock.advance(10 * minuteMs);
  const passkey = createSoftwarePasskey(origin);
  const { data } = await call('POST', '/factors/passkey/options', { headers });
  const body = { response: passkey.create(data.options) };
  expect((await call('POST', '/factors/passkey', { headers, body })).status).toBe(200);
  expect((await call('GET', '/sessions', { headers })).status).toBe(200);
  running.clock.advance(5 * minuteMs);
  expect((await call('GET', '/session', { headers: late.headers })).status).toBe(401);
  expect((await call('GET', '/session', { headers })).status).toBe(200);
  const empty = await call('POST', '/session/prove', { headers, body: {} });
  expect(empty.status).toBe(422);
  await running.close();
});
