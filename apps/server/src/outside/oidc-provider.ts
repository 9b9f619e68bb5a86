import type { Clock } from '@svc/runtime';
import type { ClientAuth, Configuration, IDToken, UserInfoResponse } from 'openid-client';
import type {
  IdentityProvider,
  ProviderAccount,
  ProviderAnswer,
} from '../domain/operators/identity-provider.ts';
import type { OidcSettings } from './oidc-settings.ts';

const knownForMs = 3_600_000;

/**
 * Signs people in at an OpenID Connect provider: the authorization code flow with PKCE, state and nonce. Loads
 * its library with the first sign-in.
 */
export function createOidcProvider(
  clock: Pick<Clock, 'now'>,
  settings: OidcSettings,
  { timeoutMs = 5_000 }: { readonly timeoutMs?: number } = {},
): IdentityProvider & { discover(): Promise<ProviderAnswer<{ authorizeUrl: string }>> } {
  let known: { readonly config: Configuration; readonly untilMs: number } | undefined;

  async function configuration(): Promise<Configuration> {
    const nowMs = clock.now().getTime();
    if (known && nowMs < known.untilMs) return known.config;
    const config = await discoverProvider(settings, timeoutMs);
    known = { config, untilMs: nowMs + knownForMs };
    return config;
  }

  return {
    host: new URL(settings.issuer).host,
    discover: () =>
      attempt(async () => {
        const { authorization_endpoint } = (await configuration()).serverMetadata();
        if (authorization_endpoint === undefined) throw new Error('no authorization_endpoint');
        return { authorizeUrl: authorization_endpoint };
      }),
    visit: ({ redirectUri, state, nonce, verifier, again }) =>
      attempt(async () => {
        const client = await import('openid-client');
        const address = client.buildAuthorizationUrl(await configuration(), {
          redirect_uri: redirectUri,
          scope: 'openid email',
          state,
          nonce,
          code_challenge: await client.calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          // Some providers obey only one of the two.
          ...(again && { max_age: '0', prompt: 'login' }),
        });
        return address.href;
      }),
    redeem: ({ redirectUri, state, nonce, verifier }, query) =>
      attempt(async () => {
        const client = await import('openid-client');
        const config = await configuration();
        const address = new URL(redirectUri);
        address.search = query;
        const tokens = await client.authorizationCodeGrant(config, address, {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
        });
        const claims = tokens.claims();
        if (!claims) throw new Error('no ID token');
        // Many providers return the e-mail address only from the userinfo endpoint.
        const person =
          claims.email === undefined && config.serverMetadata().userinfo_endpoint !== undefined
            ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
            : claims;
        return accountOf(claims, person);
      }),
  };
}

async function discoverProvider(
  { issuer, clientId, clientSecret }: OidcSettings,
  timeoutMs: number,
): Promise<Configuration> {
  const client = await import('openid-client');
  const url = new URL(issuer);
  const execute = [
    client.enableNonRepudiationChecks,
    // The settings allow http in the sandbox only, and only on this machine.
    ...(url.protocol === 'http:' ? [client.allowInsecureRequests] : []),
  ];
  const authenticate: ClientAuth = (server, ...request) => {
    // Preferred, because some servers do not decode what RFC 6749 asks to encode in the header.
    const clientAuth = server.token_endpoint_auth_methods_supported?.includes('client_secret_post')
      ? client.ClientSecretPost(clientSecret)
      : client.ClientSecretBasic(clientSecret);
    clientAuth(server, ...request);
  };
  const options = { execute, timeout: timeoutMs / 1_000 };
  return client.discovery(url, clientId, clientSecret, authenticate, options);
}

function accountOf(claims: IDToken, person: IDToken | UserInfoResponse) {
  const { iss, sub, auth_time } = claims;
  const { email } = person;
  return {
    issuer: iss,
    subject: sub,
    email: typeof email === 'string' ? email : null,
    isEmailVerified: isEmailVerified(person),
    provenAt: auth_time === undefined ? null : new Date(auth_time * 1_000),
  } satisfies ProviderAccount;
}

/**
 * Microsoft Entra ID never sends `email_verified`. Its users can have any address, but it sends `xms_edov` if the
 * organization that owns the account has verified the domain of the address.
 */
function isEmailVerified({ email_verified, xms_edov }: IDToken | UserInfoResponse): boolean {
  // Amazon Cognito sends text, and Microsoft sometimes a digit.
  return email_verified === undefined
    ? ['true', '1'].includes(String(xms_edov))
    : String(email_verified) === 'true';
}

async function attempt<T>(work: () => Promise<T>): Promise<ProviderAnswer<T>> {
  try {
    return { answer: await work() };
  } catch (error) {
    return failureOf(error);
  }
}

/** The library's errors hold responses, which hold tokens, so only codes are taken from them. */
function failureOf(error: unknown): Exclude<ProviderAnswer<never>, { readonly answer: never }> {
  const { name, message, code, error: oauth, status, cause } = error as LibraryError;
  if (name === 'AuthorizationResponseError') {
    const isDown = oauth === 'server_error' || oauth === 'temporarily_unavailable';
    return { failure: isDown ? 'unavailable' : 'denied', reason: codeIn(oauth) };
  }
  if (name === 'ResponseBodyError') return { failure: 'invalid', reason: codeIn(oauth) };
  const answered = status ?? (cause instanceof Response ? cause.status : undefined);
  if (answered !== undefined) {
    const failure = answered >= 500 || answered === 429 ? 'unavailable' : 'invalid';
    return { failure, reason: `status ${answered}` };
  }
  if (code === 'OAUTH_TIMEOUT') return { failure: 'unavailable', reason: 'no answer in time' };
  if (error instanceof TypeError && message === 'fetch failed') {
    return { failure: 'unavailable', reason: codeIn((cause as { code?: unknown })?.code) };
  }
  if (name !== 'ClientError') throw error;
  return { failure: 'invalid', reason: codeIn(code) };
}

type LibraryError = Error & {
  readonly code?: string;
  /** The code of OAuth, such as `invalid_grant`. */
  readonly error?: string;
  readonly status?: number;
};

function codeIn(text: unknown): string {
  return /^\w{1,60}$/.exec(String(text))?.[0] ?? 'unknown';
}
