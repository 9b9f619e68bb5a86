import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

export interface Account {
  readonly email?: string;
  readonly email_verified?: boolean;
  /** Microsoft Entra ID sends this instead of `email_verified`. */
  readonly xms_edov?: boolean;
}

export const client = { clientId: 'svc-console', clientSecret: randomBytes(24).toString('hex') };

/** A real OpenID Connect provider on loopback, whose people sign in without a form. */
export async function startOidcProvider() {
  let provider: Provider | undefined;
  const accounts = new Map<string, Account>();
  let signsInAs = '';
  let denies = false;
  let isDown = false;
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (isDown || provider === undefined) return void response.writeHead(502).end();
    if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response);
    await provider.interactionFinished(
      request,
      response,
      denies ? { error: 'access_denied' } : { login: { accountId: signsInAs, remember: true } },
    );
  }

  return {
    issuer,
    accounts,
    /** Starts to answer. The redirect URI is known only after the service has started. */
    allow(redirectUri: string): void {
      provider = createProvider(issuer, redirectUri, accounts);
    },
    /** Decides who signs in, or whether the provider refuses or is down. */
    set(state: { signsInAs?: string; denies?: boolean; isDown?: boolean }): void {
      ({ signsInAs = signsInAs, denies = denies, isDown = isDown } = state);
    },
    /** Opens a browser, which stays signed in at the provider. */
    openBrowser: () => createBrowser(issuer),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export type OidcProvider = Awaited<ReturnType<typeof startOidcProvider>>;

function createProvider(
  issuer: string,
  redirectUri: string,
  accounts: ReadonlyMap<string, Account>,
): Provider {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), alg: 'RS256', use: 'sig' }] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    claims: { openid: ['sub'], email: ['email', 'email_verified', 'xms_edov'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, accountId) => ({
      accountId,
      claims: () => ({ sub: accountId, ...accounts.get(accountId) }),
    }),
    async loadExistingGrant({ oidc }) {
      const { session, client: asking } = oidc;
      if (!session?.accountId || !asking) return undefined;
      const grant = new oidc.provider.Grant({
        accountId: session.accountId,
        clientId: asking.clientId,
      });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
}

function createBrowser(issuer: string) {
  const cookies = new Map<string, string>();
  /** Follows the provider's redirects until one leaves it, and returns that one's query. */
  return async function visit(address: string): Promise<string> {
    let url = new URL(address);
    for (let hops = 0; hops < 10; hops += 1) {
      if (url.origin !== issuer) return url.search.slice(1);
      const cookie = Array.from(cookies, ([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [pair = ''] = line.split(';', 1);
        const [name = '', value = ''] = pair.split('=', 2);
        if (value === '') cookies.delete(name);
        else cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (location === null) throw new Error(`${url.href}: ${await response.text()}`);
      url = new URL(location, url);
    }
    throw new Error('The provider redirects forever.');
  };
}
