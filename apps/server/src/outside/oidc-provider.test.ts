import { generateKeyPairSync, sign } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemClock } from '@svc/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createOidcProvider } from './oidc-provider.ts';

// What a real provider never does: apps/server/test/operator-oidc.db.test.ts has one.

const ours = generateKeyPairSync('rsa', { modulusLength: 2048 });
const theirs = generateKeyPairSync('rsa', { modulusLength: 2048 });
const visit = {
  redirectUri: 'http://localhost:4000/operator/signed-in',
  state: 'the-state',
  nonce: 'the-nonce',
  verifier: 'v'.repeat(43),
};
const query = 'code=the-code&state=the-state';
const settings = { clientId: 'console', clientSecret: 'hunter2' };

interface Behavior {
  claims?: object;
  key?: typeof ours.privateKey;
  /** The answer to the request for tokens, instead of an ID token. */
  token?: { status: number; body: object };
  methods?: string[];
  hangs?: boolean;
}
let behavior: Behavior = {};
let authorization: string | undefined;
let body = '';

const server = createServer((request, response) => {
  if (behavior.hangs) return;
  const send = (status: number, value: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  if (request.url === '/token') {
    ({ authorization } = request.headers);
    body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      const { token } = behavior;
      if (token) send(token.status, token.body);
      else send(200, { access_token: 'a', token_type: 'bearer', id_token: idToken() });
    });
  } else if (request.url === '/jwks') {
    send(200, { keys: [{ ...ours.publicKey.export({ format: 'jwk' }), alg: 'RS256' }] });
  } else {
    send(200, {
      issuer: issuer(),
      authorization_endpoint: `${issuer()}/authorize`,
      token_endpoint: `${issuer()}/token`,
      jwks_uri: `${issuer()}/jwks`,
      token_endpoint_auth_methods_supported: behavior.methods,
    });
  }
});
beforeAll(() => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

function issuer(): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function idToken(): string {
  const seconds = Math.floor(systemClock.now().getTime() / 1_000);
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claims = {
    iss: issuer(),
    sub: 'ada',
    aud: settings.clientId,
    iat: seconds,
    exp: seconds + 60,
    nonce: visit.nonce,
    ...behavior.claims,
  };
  const signed = `${encode({ alg: 'RS256' })}.${encode(claims)}`;
  const key = behavior.key ?? ours.privateKey;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

const redeem = (own: Behavior = {}, timeoutMs?: number) => {
  behavior = own;
  const options = timeoutMs === undefined ? {} : { timeoutMs };
  const provider = createOidcProvider(systemClock, { ...settings, issuer: issuer() }, options);
  return provider.redeem(visit, query);
};

test('a token of the provider names the account', async () => {
  const claims = { email: 'ada@example.com', email_verified: true, auth_time: 1_700_000_000 };
  expect(await redeem({ claims })).toEqual({
    answer: {
      issuer: issuer(),
      subject: 'ada',
      email: 'ada@example.com',
      isEmailVerified: true,
      provenAt: new Date(1_700_000_000_000),
    },
  });
});

test('an address counts as verified only if the provider says so', async () => {
  const verified = async (claims: object) => {
    const found = await redeem({ claims: { email: 'ada@example.com', ...claims } });
    return 'answer' in found && found.answer.isEmailVerified;
  };
  for (const claims of [
    { email_verified: true },
    { email_verified: 'true' },
    { email_verified: true, xms_edov: false },
    { xms_edov: true },
    { xms_edov: '1' },
  ]) {
    expect([claims, await verified(claims)]).toEqual([claims, true]);
  }
  for (const claims of [
    {},
    { email_verified: false },
    { email_verified: 'false' },
    { email_verified: 1 },
    { email_verified: null, xms_edov: true },
    { email_verified: false, xms_edov: true },
    { xms_edov: false },
    { xms_edov: '0' },
    { verified_primary_email: ['ada@example.com'] },
  ]) {
    expect([claims, await verified(claims)]).toEqual([claims, false]);
  }
});

test('a token with another audience, issuer or signature is refused', async () => {
  for (const own of [
    { claims: { aud: 'another-client' } },
    { claims: { iss: 'https://evil.example' } },
    { claims: { nonce: 'another' } },
    { claims: { exp: 1 } },
    { key: theirs.privateKey },
  ]) {
    expect(await redeem(own)).toMatchObject({ failure: 'invalid' });
  }
});

test('the client authenticates in the way that the provider supports', async () => {
  await redeem();
  expect(authorization).toBe(`Basic ${Buffer.from('console:hunter2').toString('base64')}`);
  expect(body).not.toContain('hunter2');
  await redeem({ methods: ['client_secret_basic', 'client_secret_post'] });
  expect(body).toContain('client_secret=hunter2');
});

test('a failure is a code without the words of the provider', async () => {
  const token = (status: number, error: string) => ({
    token: { status, body: { error, error_description: 'the-code is wrong' } },
  });
  expect(await redeem(token(400, 'invalid_grant'))).toEqual({
    failure: 'invalid',
    reason: 'invalid_grant',
  });
  expect(await redeem(token(400, 'a long sentence of the provider'))).toEqual({
    failure: 'invalid',
    reason: 'unknown',
  });
  expect(await redeem({ token: { status: 503, body: {} } })).toEqual({
    failure: 'unavailable',
    reason: 'status 503',
  });
});

test('a provider that accepts the connection and does not answer is unavailable', async () => {
  expect(await redeem({ hangs: true }, 50)).toEqual({
    failure: 'unavailable',
    reason: 'no answer in time',
  });
});
