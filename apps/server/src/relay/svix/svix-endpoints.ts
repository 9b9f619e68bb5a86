import {
  type CreateEndpointInput,
  type EndpointOutput,
  eventTypes,
  type UpdateEndpointInput,
} from '@svc/contract';
import type { Log } from '@svc/runtime';
import { ApiException, AppPortalCapability, type EndpointOut, type Svix } from 'svix';
import { Refusal } from '../../domain/refusal.ts';
import { applicationOf } from './application.ts';
import { createSvixClient } from './svix-client.ts';
import type { SvixConfig } from './svix-settings.ts';
import { createEventTypes } from './sync-event-types.ts';

interface EndpointOwner {
  readonly partnerId: string;
  readonly pms: string;
}

/** A partner's endpoints on a Svix server, in the shapes of our API. */
export interface SvixEndpoints {
  list(owner: EndpointOwner): Promise<EndpointOutput[]>;
  /** `id` may be the endpoint's uid, here and below. @throws Refusal `endpoint_not_found` */
  get(owner: EndpointOwner, id: string): Promise<EndpointOutput>;
  /** @throws Refusal `validation_failed` for a setting that Svix does not have, `version_conflict` */
  create(owner: EndpointOwner, input: CreateEndpointInput): Promise<EndpointOutput>;
  update(owner: EndpointOwner, id: string, input: UpdateEndpointInput): Promise<EndpointOutput>;
  delete(owner: EndpointOwner, id: string): Promise<void>;
  secret(owner: EndpointOwner, id: string): Promise<string>;
  /** Returns the new secret; the old one also signs for `overlapSeconds`. */
  rotateSecret(owner: EndpointOwner, id: string, overlapSeconds: number): Promise<string>;
  /** A link to Svix's portal. @throws Refusal `delivered_by_svix` where the server has none */
  portalUrl(owner: EndpointOwner, access: { readonly readOnly: boolean }): Promise<string>;
}

// The largest page of Svix.
const pageSize = 250;
/** The open-source server has no portal, and answers with this page about it. */
const noPortal = 'https://docs.svix.com/app-portal/oss';
// The same as for sessions of our own portal.
const portalSeconds = 24 * 3_600;

/**
 * Endpoints live on the Svix server only: nothing is stored here. Each call is one or two requests, and a
 * failure of the server is the Refusal `unavailable`.
 */
export function openSvixEndpoints(
  config: SvixConfig,
  { log, ...limits }: { readonly log: Log; readonly requestTimeout?: number },
): SvixEndpoints {
  const svix = createSvixClient(config, limits);
  const eventTypesSynced = createEventTypes(svix, log);

  /** Runs calls for the partner's application. */
  async function call<T>(owner: EndpointOwner, run: (app: string) => Promise<T>): Promise<T> {
    try {
      return await run(applicationOf(owner).uid);
    } catch (error) {
      throw refusalOf(error, log);
    }
  }

  /** The open-source server takes no headers when it creates an endpoint. */
  async function addHeaders(app: string, id: string, headers: Record<string, string>) {
    try {
      await svix.endpoint.updateHeaders(app, id, { headers });
    } catch (error) {
      // Without its headers, the receiver may refuse every webhook.
      await svix.endpoint.delete(app, id);
      throw error;
    }
  }

  const get = (owner: EndpointOwner, id: string) =>
    call(owner, async (app) => viewOf(svix, app, await svix.endpoint.get(app, id)));

  return {
    list: (owner) =>
      call(owner, async (app) => {
        const { data } = await svix.endpoint.list(app, { limit: pageSize }).catch(noneIfNotFound);
        // Svix lists the newest first, and our API the oldest.
        return Promise.all(data.reverse().map((endpoint) => viewOf(svix, app, endpoint)));
      }),
    get,
    create: (owner, input) => {
      refuseUnknownSettings(input);
      return call(owner, async (app) => {
        await eventTypesSynced();
        await svix.application.getOrCreate(applicationOf(owner));
        const { secret, headers, uid, state } = input;
        const created = await svix.endpoint.create(app, {
          ...settingsOf(input),
          url: input.url,
          ...(uid != null && { uid }),
          ...(secret !== undefined && { secret }),
          ...(state !== undefined && { disabled: state === 'disabled' }),
        });
        if (headers !== undefined) await addHeaders(app, created.id, headers);
        return viewOf(svix, app, created);
      });
    },
    update: (owner, id, input) => {
      refuseUnknownSettings(input);
      return call(owner, async (app) => {
        await eventTypesSynced();
        const { url, uid, headers, state } = input;
        const changed = await svix.endpoint.patch(app, id, {
          ...settingsOf(input),
          ...(url !== undefined && { url }),
          ...(uid !== undefined && { uid }),
          ...(state !== undefined && { disabled: state === 'disabled' }),
        });
        if (headers !== undefined) await svix.endpoint.updateHeaders(app, changed.id, { headers });
        return viewOf(svix, app, changed);
      });
    },
    delete: (owner, id) => call(owner, (app) => svix.endpoint.delete(app, id)),
    secret: (owner, id) => call(owner, async (app) => (await svix.endpoint.getSecret(app, id)).key),
    rotateSecret: (owner, id, overlapSeconds) =>
      call(owner, async (app) => {
        await svix.endpoint.rotateSecret(app, id, { gracePeriodSeconds: overlapSeconds });
        return (await svix.endpoint.getSecret(app, id)).key;
      }),
    async portalUrl(owner, { readOnly }) {
      const { url } = await call(owner, (app) =>
        svix.authentication.appPortalAccess(app, {
          application: applicationOf(owner),
          expiry: portalSeconds,
          ...(readOnly && { capabilities: [AppPortalCapability.ViewBase] }),
        }),
      );
      if (url !== noPortal) return url;
      throw new Refusal('delivered_by_svix', {
        message:
          'The Svix server of this service has no portal. Manage your endpoints with /webhooks/endpoints. For API keys, origins, tenants and settlements, get a link with ?scope=admin.',
      });
    },
  };
}

async function viewOf(svix: Svix, app: string, endpoint: EndpointOut): Promise<EndpointOutput> {
  const { headers, sensitive } = await svix.endpoint.getHeaders(app, endpoint.id);
  const { description, rateLimit, throttleRate } = endpoint;
  return {
    id: endpoint.id,
    uid: endpoint.uid ?? null,
    url: endpoint.url,
    description: description === '' ? null : description,
    // Svix returns sets in any order.
    event_types: endpoint.filterTypes?.sort() ?? null,
    channels: endpoint.channels?.sort() ?? null,
    filter: null,
    auth: { type: 'none' },
    header_names: [...Object.keys(headers), ...sensitive].map((it) => it.toLowerCase()).sort(),
    throttle_per_second: throttleRate ?? rateLimit ?? null,
    disable_on_gone: false,
    honor_retry_after: false,
    ordered: false,
    asymmetric_signature: false,
    public_keys: [],
    metadata: endpoint.metadata,
    state: endpoint.disabled ? 'disabled' : 'enabled',
    // Svix does not say why, nor what waits.
    disabled_reason: null,
    held_count: 0,
    previous_secret_expires_at: null,
    failing_since: null,
    disables_at: null,
    created_at: endpoint.createdAt.toISOString(),
  };
}

/** The settings that are the same in both of Svix's calls. Those that were left out stay as they are. */
function settingsOf(input: CreateEndpointInput | UpdateEndpointInput) {
  const { description, event_types, channels, throttle_per_second, metadata } = input;
  return {
    ...(description !== undefined && { description: description ?? '' }),
    ...(event_types !== undefined && { filterTypes: event_types && expandGroups(event_types) }),
    ...(channels !== undefined && { channels }),
    ...(throttle_per_second !== undefined && { throttleRate: throttle_per_second }),
    ...(metadata !== undefined && { metadata: metadata ?? {} }),
  };
}

/** Svix knows no groups: `plan.*` becomes the types that begin with `plan.` today. */
function expandGroups(names: readonly string[]): string[] {
  const types = names.flatMap((name) =>
    name.endsWith('.*') ? eventTypes.filter((type) => type.startsWith(name.slice(0, -1))) : name,
  );
  return [...new Set(types)].sort();
}

/** @throws Refusal `validation_failed` naming each setting that Svix does not have */
function refuseUnknownSettings(input: CreateEndpointInput | UpdateEndpointInput): void {
  const found = [
    input.auth !== undefined &&
      input.auth.type !== 'none' && {
        param: 'auth',
        message: 'is not available with Svix: pass the credentials in "headers"',
      },
    input.disable_on_gone === true && {
      param: 'disable_on_gone',
      message: 'is not available with Svix, which disables an endpoint that fails for days',
    },
    input.filter != null && {
      param: 'filter',
      message: 'is not available with Svix: use "event_types" and "channels"',
    },
    input.honor_retry_after === true && {
      param: 'honor_retry_after',
      message: 'is not available with Svix, which keeps to its own schedule',
    },
    input.ordered === true && {
      param: 'ordered',
      message: 'is not available with Svix: compare "object_version" in your receiver',
    },
    input.asymmetric_signature === true && {
      param: 'asymmetric_signature',
      message: 'is not available with Svix, which signs with the secret',
    },
    'held' in input &&
      input.held !== undefined && {
        param: 'held',
        message: 'is not available with Svix: recover missed messages in its portal',
      },
    input.channels?.some((channel) => channel.includes(':')) && {
      param: 'channels',
      message: 'may not contain ":" with Svix',
    },
  ];
  const errors = found.flatMap((it) => (it ? [{ ...it, code: 'invalid_value' as const }] : []));
  if (errors.length > 0) throw new Refusal('validation_failed', { errors });
}

/** The application is created with the partner's first endpoint or message. */
function noneIfNotFound(error: unknown): { data: EndpointOut[] } {
  if (error instanceof ApiException && error.code === 404) return { data: [] };
  throw error;
}

/** Translates a failed call for the caller. An error that is not about the input is ours to fix. */
function refusalOf(error: unknown, log: Log): unknown {
  if (error instanceof Refusal) return error;
  if (error instanceof ApiException) {
    switch (error.code) {
      case 404:
        return new Refusal('endpoint_not_found');
      case 409:
        return new Refusal('version_conflict', {
          param: 'uid',
          message: 'Another endpoint has this uid.',
        });
      case 400:
      case 422:
        return new Refusal('validation_failed', {
          message: `Svix refused the endpoint: ${wordsOf(error.body)}.`,
        });
    }
  }
  // The error of a client can contain the request and with it the token.
  const status = error instanceof ApiException ? error.code : undefined;
  log.error({ svix_status: status }, 'Svix did not answer a call about endpoints');
  return new Refusal('unavailable', {
    message: 'The delivery provider does not answer right now. Repeat the request later.',
  });
}

function wordsOf(body: unknown): string {
  const { detail } = (body ?? {}) as { detail?: unknown };
  if (typeof detail === 'string') return detail.slice(0, 300);
  if (!Array.isArray(detail)) return 'no reason given';
  return detail
    .map((it: { msg?: unknown }) => String(it.msg))
    .join('; ')
    .slice(0, 300);
}
