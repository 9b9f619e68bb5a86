import { nullable, row, sql, text } from '@svc/db';
import type { Ctx, RequestSteps, Service } from '../../context.ts';
import type { Actor } from '../access/actor.ts';
import { newSecret, sha256 } from '../access/secrets.ts';
import { Refusal } from '../refusal.ts';
import { personOfAccount, personOfSession } from './accounts.ts';
import {
  type IdentityProvider,
  type ProviderAnswer,
  providerReturnPath,
  type Visit,
} from './identity-provider.ts';
import { openOperatorSession } from './sessions.ts';

const visitMinutes = 10;
const proofMinutes = 5;

interface Begun {
  /** The address of the provider, for the browser to visit. */
  readonly url: string;
  /** For the browser's cookie until all its visits are over. Without it, the provider's answer is refused. */
  readonly secret: string;
  readonly expiresAt: string;
}

interface NewVisit {
  readonly returnTo: string;
  /** Asks for a new sign-in, even with an open session at the provider. */
  readonly again: boolean;
  /** The session whose person the visit proves. Without it, the visit opens a session. */
  readonly sessionId?: string;
  /** The cookie of the browser, if it has one of an earlier visit. */
  readonly secret: string | null;
}

/**
 * Begins a visit to the provider. A browser has one secret for all its visits, so that two tabs do not end each
 * other's.
 * @throws Refusal
 */
export async function beginVisit(
  { now, service, step, log }: RequestSteps<Actor>,
  { returnTo, again, sessionId, secret: earlier }: NewVisit,
): Promise<Begun> {
  const provider = requireProvider(service);
  const secret = earlier !== null && isVisitSecret(earlier) ? earlier : newSecret('svc_ov_');
  const visit = visitOf(service, newSecret('svc_ov_'), secret);
  const url = answerOf(await provider.visit({ ...visit, again }), { provider, log });
  const expiresAt = new Date(now.getTime() + visitMinutes * 60_000);
  await step(({ tx }) =>
    tx.run(sql`
      insert into operator_visit (state_sha256, browser_sha256, session_id, return_to, expires_at)
      values (${sha256(visit.state)}, ${sha256(secret)}, ${sessionId ?? null}::text, ${returnTo}, ${expiresAt})`),
  );
  return { url, secret, expiresAt: expiresAt.toISOString() };
}

interface Finished {
  /** The page to show: a path below `/operator`. */
  readonly returnTo: string;
  /** A new session, or null if the visit was a proof for the session that began it. */
  readonly opened: { readonly secret: string; readonly expiresAt: string } | null;
}

/**
 * Ends a visit with the query that the browser came back with: opens a session, or sets when the person of the
 * session last proved who they are.
 * @throws Refusal
 */
export async function finishVisit(
  { now, service, step, log }: RequestSteps<Actor>,
  { query, secret }: { readonly query: string; readonly secret: string | null },
): Promise<Finished> {
  const provider = requireProvider(service);
  const state = new URLSearchParams(query).get('state') ?? '';
  // Committed first, so that a query is used only once, even if the sign-in fails.
  const { returnTo, sessionId } = await step((ctx) => takeVisit(ctx, { state, secret }));
  const visit = visitOf(service, state, secret ?? '');
  const account = answerOf(await provider.redeem(visit, query), { provider, log });
  // The provider's clock may be ahead. Someone who was signed in there already has proved nothing just now.
  const provenAt =
    account.provenAt && new Date(Math.min(account.provenAt.getTime(), now.getTime()));
  if (sessionId !== null) {
    requireFresh(provenAt, { now, provider });
    const proven = await step(async (ctx) => {
      const person = await personOfSession(ctx, { account, sessionId });
      if ('refusal' in person) return person;
      await ctx.tx.run(sql`
        update operator_session set proven_at = ${provenAt} where id = ${sessionId}`);
      return person;
    });
    if ('refusal' in proven) throw proven.refusal;
    return { returnTo, opened: null };
  }
  const result = await step(async (ctx) => {
    const person = await personOfAccount(ctx, account);
    if ('refusal' in person) return person;
    const { operatorId } = person;
    return openOperatorSession(ctx, { operatorId, provenAt, isEnrolling: false, method: 'oidc' });
  });
  // Thrown after the step, which has committed the audit entry.
  if ('refusal' in result) throw result.refusal;
  return { returnTo, opened: { secret: result.secret, expiresAt: result.session.expires_at } };
}

const visitRow = row('visit to the provider', { sessionId: nullable(text), returnTo: text });

async function takeVisit(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { state, secret }: { readonly state: string; readonly secret: string | null },
) {
  const taken = await tx.maybe(
    visitRow,
    sql`
    delete from operator_visit
    where state_sha256 = ${sha256(state)} and browser_sha256 = ${sha256(secret ?? '')}
      and expires_at > ${now}
    returning session_id, return_to`,
  );
  if (taken) return taken;
  throw new Refusal('token_invalid', {
    message: `This sign-in took longer than ${visitMinutes} minutes, was finished before, or began in another browser. Start again.`,
  });
}

function isVisitSecret(text: string): boolean {
  return /^svc_ov_[0-9A-Za-z]{43}$/.test(text);
}

/** Derives the PKCE verifier from the browser's secret, so the provider rejects the code from any other browser. */
function visitOf({ operatorOrigin }: Service, state: string, secret: string): Visit {
  return {
    redirectUri: operatorOrigin + providerReturnPath,
    state,
    verifier: sha256(`verifier ${secret} ${state}`).toString('base64url'),
    nonce: sha256(`nonce ${secret} ${state}`).toString('base64url'),
  };
}

function requireProvider({ identityProvider }: Service): IdentityProvider {
  if (identityProvider !== null) return identityProvider;
  throw new Refusal('not_found', {
    message: 'No provider is set up. Sign in with a passkey or a password.',
  });
}

/** @throws Refusal that says what to do; the log has the reason */
function answerOf<T>(
  answered: ProviderAnswer<T>,
  { provider: { host }, log }: { provider: IdentityProvider } & Pick<Ctx, 'log'>,
): T {
  if ('answer' in answered) return answered.answer;
  const { failure, reason } = answered;
  log.warn({ provider: host, reason }, 'sign-in at the provider failed');
  switch (failure) {
    case 'unavailable':
      throw new Refusal('provider_unavailable', {
        message: `${host} does not answer. Try again in a minute. If it stays down, somebody who runs the service can let you in with "svc-admin operator link".`,
      });
    case 'denied':
      throw new Refusal('invalid_credentials', {
        message: `${host} did not sign you in (${reason}). Start again, or ask whoever manages your account there.`,
      });
    case 'invalid':
      throw new Refusal('invalid_credentials', {
        message: `The answer of ${host} could not be verified. Start again. If it happens again, tell whoever runs the service: its log has the reason.`,
      });
  }
}

/** @throws Refusal unless the person has just signed in at the provider */
function requireFresh(
  provenAt: Date | null,
  { now, provider: { host } }: { readonly now: Date; readonly provider: IdentityProvider },
): void {
  if (provenAt && now.getTime() - provenAt.getTime() <= proofMinutes * 60_000) return;
  throw new Refusal('fresh_proof_required', {
    message: `${host} did not ask you to sign in again, or did not say so (auth_time). Start again. If it happens again, use a passkey.`,
  });
}
