import type { KeyScope } from '@svc/contract';
import type { Database } from '@svc/db';
import type { Service } from '../context.ts';
import type { Actor, PartnerActor } from '../domain/access/actor.ts';
import { findExperienceSession } from '../domain/access/experience-sessions.ts';
import type { KnownKeys } from '../domain/access/known-keys.ts';
import { findPortalSession } from '../domain/access/portal-sessions.ts';
import { Refusal } from '../domain/refusal.ts';
import { isWrite, type Route } from './route.ts';

/**
 * How long after its link was opened a console session may call routes with `freshLink`, so that someone who finds
 * an unattended console gets no key. The message of `fresh_link_required` names this time.
 */
const freshLinkMs = 15 * 60_000;

export interface Credentials {
  readonly authorization: string | undefined;
  readonly cookie: string | undefined;
  readonly origin: string | undefined;
  /** True if the page refreshes itself and has been idle for a minute. */
  readonly background: boolean;
  /** The sealed part of a document's address (document-files.ts). */
  readonly documentAddress?: string | undefined;
}

export type Authenticate = (
  route: Pick<
    Route,
    'who' | 'method' | 'kind' | 'secret' | 'freshLink' | 'scope' | 'readOnlyMay' | 'views'
  >,
  given: Credentials,
  now: Date,
) => Promise<Actor>;

/**
 * Identifies the caller by its credentials, before the body is read.
 * @throws Refusal of 401 or 403
 */
export function createAuthenticate(db: Database, service: Service, keys: KnownKeys): Authenticate {
  return async (route, given, now) => {
    switch (route.who) {
      case 'anyone':
        return { kind: 'anyone' };
      case 'tenant':
        return bySession(route, given, now);
      case 'key':
        return await byKey(given, now);
      case 'portal':
        return bySessionOfConsole(route, given, now);
      case 'portal_or_anyone':
        return bySessionOfConsole(route, given, now).catch((error: unknown) => {
          if (error instanceof Refusal) return { kind: 'anyone' };
          throw error;
        });
      case 'key_or_portal':
        return isPortalToken(given) ||
          (given.authorization === undefined && given.cookie !== undefined)
          ? bySessionOfConsole(route, given, now)
          : byKey(given, now);
      case 'operator':
        throw new Error('A route for operators is below /operator/v1.');
    }
  };

  async function bySession(
    route: Parameters<Authenticate>[0],
    { authorization }: Credentials,
    now: Date,
  ): Promise<Actor> {
    const actor = await findExperienceSession(db, bearer(authorization), now);
    if (actor.access === 'look' && needsFullAccess(route)) {
      throw new Refusal('confirmation_required');
    }
    if (actor.access === 'view' && (isWrite(route) || route.kind !== 'query')) {
      throw new Refusal('read_only_session', {
        message:
          'You see what the tenant sees. Nothing can be changed here, and nothing downloaded.',
      });
    }
    return actor;
  }

  function byKey({ authorization }: Credentials, now: Date): Promise<Actor> {
    return keys.find(db, bearer(authorization), service.environment, now);
  }

  /** Authenticates by a frame's token, or else by the cookie. A request with a token never falls back to a cookie. */
  async function bySessionOfConsole(
    route: Parameters<Authenticate>[0],
    given: Credentials,
    now: Date,
  ): Promise<Actor> {
    const { cookie, origin, background } = given;
    const isFramed = isPortalToken(given);
    const secret = isFramed ? bearer(given.authorization) : cookie;
    if (secret === undefined) {
      throw new Refusal('missing_credentials', {
        message: 'No console session is open. Open the console with a link from your backend.',
      });
    }
    const actor = await findPortalSession(db, { secret, background, isFramed }, now);
    // Browsers send no Origin with a read of the frame's own origin, and always with one of another page.
    if (isFramed && origin !== undefined && origin !== service.publicOrigin) {
      throw new Refusal('origin_not_allowed', {
        message: `A portal token works in the frame at ${service.publicOrigin} only. Pass it to the component.`,
      });
    }
    if (isWrite(route) && origin !== service.publicOrigin) {
      throw new Refusal('origin_not_allowed', {
        message: `A console session can make changes only from pages of ${service.publicOrigin}.`,
      });
    }
    requireView(route, actor);
    if (route.scope === 'admin' && actor.scope !== 'admin') {
      throw new Refusal('admin_scope_required');
    }
    if (actor.readOnly && needsFullAccess(route)) throw new Refusal('read_only_session');
    const openedMs = actor.openedAt?.getTime() ?? 0;
    if (route.freshLink && now.getTime() - openedMs > freshLinkMs) {
      throw new Refusal('fresh_link_required');
    }
    return actor;
  }
}

/**
 * Refuses an API key in a browser. The caller is known then, so the refusal is in its request log.
 *
 * The reference at /docs/api sends requests with the reader's sandbox key. It is our own page, and a
 * sandbox key moves no money. It sends no cookies, unlike a page of the console.
 */
export function refuseBrowser(
  { environment, publicOrigin }: Pick<Service, 'environment' | 'publicOrigin'>,
  actor: Actor,
  { origin, cookie }: Pick<Credentials, 'origin' | 'cookie'>,
): void {
  const byKey = actor.kind === 'partner' && actor.via === 'key';
  const isReference = environment === 'sandbox' && origin === publicOrigin && cookie === undefined;
  if (byKey && origin !== undefined && !isReference) throw new Refusal('browser_call');
}

/**
 * Refuses an API key without a scope for the route. The caller is known then, so the refusal is in its
 * request log.
 */
export function requireKeyScope(
  route: Pick<Route, 'keyScope' | 'kind' | 'method' | 'secret' | 'freshLink'>,
  actor: Actor,
): void {
  if (actor.kind !== 'partner' || actor.via !== 'key' || route.keyScope === 'any') return;
  const needed = route.keyScope ?? 'everything';
  const showsNoSecret = !route.secret && !route.freshLink;
  const readScopeSuffices = route.kind === 'query' && !isWrite(route) && showsNoSecret;
  const allowed: readonly KeyScope[] = [
    'everything',
    needed,
    ...(readScopeSuffices ? ['read' as const] : []),
  ];
  if (actor.keyScopes.some((scope) => allowed.includes(scope))) return;
  const either = readScopeSuffices && needed !== 'read' ? `${needed} or read` : needed;
  throw new Refusal('key_scope_required', {
    message: `This call needs an API key with the scope ${either}. This key has ${actor.keyScopes.join(' and ')}.`,
  });
}

/** A session of a frame reaches the routes that name its view, and nothing else. */
function requireView({ views = [] }: Pick<Route, 'views'>, { view }: PartnerActor): void {
  if (view === null || views.includes(view)) return;
  const others = views.length === 0 ? 'no view' : `the view ${views.join(' or ')}`;
  throw new Refusal('outside_of_view', {
    message: `This token opens the view ${view}, and this call belongs to ${others}.`,
  });
}

/**
 * Refuses a session of a frame that shows one tenant a route about another one. Each route of such a view
 * names the tenant in its path (portal-tokens.db.test.ts).
 */
export function requireTenantOfView(actor: Actor, params: unknown): void {
  if (actor.kind !== 'partner' || actor.externalId === null) return;
  const { external_id: named } = (params ?? {}) as { external_id?: string };
  if (named === undefined || named === actor.externalId) return;
  throw new Refusal('outside_of_view', { message: 'This token shows another tenant.' });
}

function isPortalToken({ authorization }: Credentials): boolean {
  return /^Bearer +svc_pt_/i.test(authorization ?? '');
}

/** Returns whether read-only sessions are refused: for a write without `readOnlyMay`, or a route with a secret. */
function needsFullAccess(route: Parameters<Authenticate>[0]): boolean {
  return (isWrite(route) && !route.readOnlyMay) || route.secret === true;
}

function bearer(authorization: string | undefined): string {
  if (authorization === undefined || authorization === '') throw new Refusal('missing_credentials');
  const secret = /^Bearer +([\x21-\x7e]{1,300})$/i.exec(authorization)?.[1];
  const mistake = headerMistake(authorization, secret);
  if (mistake !== undefined) throw new Refusal('invalid_credentials', { message: mistake });
  if (secret === undefined) throw new Refusal('invalid_credentials');
  return secret;
}

const expectedHeader = 'Send "Authorization: Bearer <API key>".';

/** Describes what is wrong with the header, without repeating any of it. Undefined for an unknown mistake. */
function headerMistake(authorization: string, secret: string | undefined): string | undefined {
  if (/^Basic\b/i.test(authorization)) {
    return `The Authorization header has the scheme Basic, and the API takes Bearer. ${expectedHeader}`;
  }
  if (/^Bearer *$/i.test(authorization)) {
    return `The Authorization header has no key after Bearer: the variable with the key is probably empty. ${expectedHeader}`;
  }
  if (/^["']?svc_/.test(authorization)) {
    return `The Authorization header has a key without "Bearer" before it. ${expectedHeader}`;
  }
  if (/^["']|["']$/.test(secret ?? authorization)) {
    return `The key in the Authorization header has quotation marks around it. Send it without them.`;
  }
  if (secret?.startsWith('whsec_')) {
    return 'The Authorization header has the signing secret of a webhook endpoint, not an API key. API keys begin with svc_sandbox_ or svc_production_.';
  }
  if (secret?.startsWith('svc_tt_')) {
    return 'The Authorization header has a tenant token, which belongs to the widget, not an API key. API keys begin with svc_sandbox_ or svc_production_.';
  }
  return undefined;
}
