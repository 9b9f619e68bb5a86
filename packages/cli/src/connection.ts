import { SvcClient, type SvcClientOptions } from '@svc/node';
import { createFetch } from './create-fetch.ts';
import type { Environment } from './environment.ts';
import { exitCodes, explainCallError, Failure, usageFailure } from './failure.ts';
import type { Store } from './store.ts';

export const defaultUrl = 'http://localhost:4000';

interface ConnectOptions {
  readonly profile: string | undefined;
  readonly url: string | undefined;
}

/** A service and the API key for it. */
export interface Target {
  readonly origin: string;
  readonly apiKey: string;
  /** Where the key comes from, for messages. */
  readonly keySource: string;
  readonly profile: string;
  /** Uses the proxy of the environment. */
  readonly fetch: typeof fetch;
}

/** The partner that an API key belongs to. */
export interface PartnerIdentity {
  readonly pms: string | null;
  readonly environment: string;
}

export interface Connection extends Target {
  readonly client: SvcClient;
  /** Runs calls; their errors become one or two lines. */
  run<T>(work: (client: SvcClient) => Promise<T>): Promise<T>;
}

export function profileName({ variables }: Environment, store: Store, asked?: string): string {
  return asked ?? (variables.SVC_PROFILE || store.readConfig().current);
}

/** Returns the address and key to use: `--url`, then the environment, then the profile. */
export function targetOf(environment: Environment, store: Store, options: ConnectOptions): Target {
  const { SVC_API_KEY } = environment.variables;
  const { profiles } = store.readConfig();
  const name = profileName(environment, store, options.profile);
  const profile = profiles[name];
  if (!profile && options.profile !== undefined && !SVC_API_KEY) {
    const known = Object.keys(profiles);
    throw new Failure(`There is no profile "${name}".`, {
      next: known.length
        ? `Known: ${known.join(', ')}. Create it with "svc login --profile ${name}".`
        : `Create it with "svc login --profile ${name}".`,
      exitCode: exitCodes.credentials,
      code: 'missing_credentials',
    });
  }
  const { origin, fetch } = serviceOf(environment, store, options);
  const base = { origin, profile: name, fetch };
  if (SVC_API_KEY) {
    return { ...base, apiKey: checkedKey(SVC_API_KEY), keySource: 'SVC_API_KEY' };
  }
  if (!profile) {
    throw new Failure(`There is no API key for ${origin}.`, {
      next: 'Run "svc login", or set SVC_API_KEY.',
      exitCode: exitCodes.credentials,
      code: 'missing_credentials',
    });
  }
  if (origin !== profile.url) {
    // A key must not travel to a host that it was not stored for.
    throw new Failure(`The key of profile "${name}" is for ${profile.url}, not for ${origin}.`, {
      next: `Run "svc login --url ${origin} --profile <name>", or set SVC_API_KEY.`,
      exitCode: exitCodes.credentials,
      code: 'missing_credentials',
    });
  }
  return { ...base, apiKey: profile.api_key, keySource: `profile "${name}"` };
}

/** Returns the address of the service, as `targetOf` finds it, for a call that needs no key. */
export function serviceOf(
  environment: Environment,
  store: Store,
  options: ConnectOptions,
): Pick<Target, 'origin' | 'fetch'> {
  const profile = store.readConfig().profiles[profileName(environment, store, options.profile)];
  return {
    origin: originOf(options.url ?? (environment.variables.SVC_URL || profile?.url || defaultUrl)),
    fetch: createFetch(environment.variables),
  };
}

export function connect(target: Target, options: Partial<SvcClientOptions> = {}): Connection {
  const client = new SvcClient({
    apiKey: target.apiKey,
    baseUrl: target.origin,
    fetch: target.fetch,
    ...options,
  });
  return {
    ...target,
    client,
    async run(work) {
      try {
        return await work(client);
      } catch (error) {
        throw explainCallError(error, target);
      }
    },
  };
}

/** Reads the partner's name and environment, which also checks address and key. */
export async function readIdentity(connection: Connection): Promise<PartnerIdentity> {
  return connection.run(async (client) => {
    try {
      return await client.getPartner();
    } catch (error) {
      // The service is older than this route. Another call checks the key, and the key names its environment.
      if (!isUnknownRoute(error)) throw error;
      await client.allowedOrigins.get();
      return { pms: null, environment: environmentOf(connection.apiKey) };
    }
  });
}

/** Returns whether this is the error of a service that is older than the route. */
export function isUnknownRoute(error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return code === 'not_found' || code === 'method_not_allowed';
}

export function environmentOf(apiKey: string): string {
  return apiKey.startsWith('svc_production_') ? 'production' : 'sandbox';
}

/** Returns the origin of a service's address. Accepts `localhost:4000` and addresses with a path. */
export function originOf(text: string): string {
  const given = text.trim();
  const address = /^https?:\/\//i.test(given) ? given : `http://${given}`;
  const isOtherScheme = address !== given && given.includes('://');
  if (!URL.canParse(address) || /\s/.test(given) || isOtherScheme) {
    throw usageFailure(
      `"${text}" is not an address of a service.`,
      'Pass a URL such as http://localhost:4000.',
    );
  }
  return new URL(address).origin;
}

/** Refuses text that cannot be an API key, before it travels. */
export function checkedKey(text: string): string {
  const key = text.trim();
  if (/^svc_(sandbox|production)_[\w-]+$/.test(key)) return key;
  const what = key.startsWith('whsec_')
    ? 'This is the signing secret of an endpoint, not an API key.'
    : 'This is not an API key: keys begin with svc_sandbox_ or svc_production_.';
  throw new Failure(what, {
    next: 'Copy the key again, or create another one on the API keys page of the console.',
    exitCode: exitCodes.credentials,
    code: 'invalid_credentials',
  });
}
