import { type OperatorSessionOutput, operatorRoles } from '@svc/contract/operator';
import {
  boolean,
  instant,
  listOf,
  nullable,
  oneOf,
  type Queryable,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { OperatorActor } from '../access/actor.ts';
import { newSecret, sha256 } from '../access/secrets.ts';
import { Refusal } from '../refusal.ts';
import { providerOf } from './accounts.ts';
import { recordOperatorAction } from './record.ts';
import { isAllowed, permissionsOf } from './roles.ts';

const idleMinutes = 15;
const sessionHours = 12;
const mostListed = 200;

const enrollingMinutes = 15;

const invitedRow = row('invited operator', { operatorId: text });

/** A session that was opened, and the secret for its cookie. */
export interface OpenedSession {
  readonly secret: string;
  readonly session: OperatorSessionOutput;
}

/**
 * Exchanges the secret of an invite link for a session's. If two requests use the same link, the row lock
 * admits only the first one. In production, the session can do nothing until the person has enrolled.
 */
export async function openInvitedSession(
  ctx: Ctx,
  input: { readonly secret: string },
): Promise<OpenedSession> {
  const { tx, now, service } = ctx;
  const invited = await tx.maybe(
    invitedRow,
    sql`
    update operator_invite i set used_at = ${now} from operator o
    where i.secret_sha256 = ${sha256(input.secret)} and i.used_at is null and i.expires_at > ${now}
      and o.id = i.operator_id and o.disabled_at is null
    returning i.operator_id`,
  );
  if (!invited) {
    throw new Refusal('token_invalid', {
      message:
        'This link was used already or has expired. Ask for a new one, which "svc-admin operator invite" prints.',
    });
  }
  const isEnrolling = service.environment === 'production';
  return openOperatorSession(ctx, { ...invited, isEnrolling, method: 'invite' });
}

interface NewSession {
  readonly operatorId: string;
  /** True if the session can do nothing but enroll a passkey or a password. */
  readonly isEnrolling: boolean;
  /** When the person proved who they are. Null if nothing proves it. Default: now. */
  readonly provenAt?: Date | null;
  /** For the audit log. */
  readonly method: 'invite' | 'oidc' | LocalMethod;
}

/** The methods of signing in with something that the console itself verifies. */
const localMethods = ['passkey', 'password', 'recovery_code'] as const;
type LocalMethod = (typeof localMethods)[number];

/** Opens a session after a successful sign-in. @throws Refusal for a method that is not the person's */
export async function openOperatorSession(
  ctx: Ctx,
  { operatorId, isEnrolling, method, provenAt = ctx.now }: NewSession,
): Promise<OpenedSession> {
  const { tx, now, service } = ctx;
  const isLocal = localMethods.some((it) => it === method);
  const providerHost = isLocal ? await providerOf({ tx, service }, operatorId) : null;
  // An account that the company has closed must not leave another way in.
  if (providerHost !== null) {
    throw new Refusal('invalid_credentials', {
      message: `You have an account at ${providerHost}. Sign in with it. Passkeys and passwords only confirm actions.`,
    });
  }
  const secret = newSecret('svc_os_');
  const id = newId('ops', now);
  await tx.run(sql`
    insert into operator_session
      (id, secret_sha256, operator_id, created_at, idle_until, expires_at, proven_at, is_enrolling)
    values (${id}, ${sha256(secret)}, ${operatorId}, ${now}, ${idleUntil(now)},
      ${new Date(now.getTime() + sessionHours * 3_600_000)}, ${provenAt}::timestamptz, ${isEnrolling})`);
  await recordOperatorAction(
    ctx,
    { operatorId },
    { action: 'operator.session_opened', subject_id: id, details: { method } },
  );
  const actor = await findOperatorSession(tx, { secret, background: true }, now);
  return { secret, session: await describeOperatorSession({ ...ctx, actor }) };
}

const sessionRow = row('operator session', {
  sessionId: text,
  operatorId: text,
  name: text,
  role: oneOf(...operatorRoles),
  partners: nullable(listOf(text)),
  expiresAt: instant,
  provenAt: nullable(instant),
  isEnrolling: boolean,
  isDue: boolean,
});

/**
 * Finds the operator of a live cookie. A request that a person caused restarts the session's idle timeout,
 * at most once a minute; a page that only refreshes itself (`background`) does not. The same holds for a
 * partner's console session (`findPortalSession`).
 */
export async function findOperatorSession(
  q: Queryable,
  { secret, background }: { readonly secret: string; readonly background: boolean },
  now: Date,
): Promise<OperatorActor> {
  const until = idleUntil(now);
  const found = await q.maybe(
    sessionRow,
    sql`
    select s.id as session_id, s.operator_id, o.name, o.role, o.partner_ids as partners, s.expires_at, s.proven_at,
      s.is_enrolling, not ${background}::boolean
        and s.idle_until <= least(s.expires_at, ${until}::timestamptz) - interval '1 minute' as is_due
    from operator_session s join operator o on o.id = s.operator_id
    where s.secret_sha256 = ${sha256(secret)} and o.disabled_at is null and ${isOpen(now)}`,
  );
  if (!found) {
    throw new Refusal('invalid_credentials', {
      message: 'Your session has ended. Sign in again.',
    });
  }
  const { isDue, ...session } = found;
  if (isDue) {
    await q.run(sql`
      update operator_session s set idle_until = least(expires_at, ${until}::timestamptz)
      where id = ${session.sessionId} and ${isOpen(now)}`);
  }
  return { kind: 'operator', ...session };
}

function idleUntil(now: Date): Date {
  return new Date(now.getTime() + idleMinutes * 60_000);
}

/** A SQL condition: session `s` isn't signed out, expired or idle, and isn't an enrollment that took too long. */
function isOpen(now: Date): Sql {
  const enrollingSince = new Date(now.getTime() - enrollingMinutes * 60_000);
  return sql`s.revoked_at is null and s.expires_at > ${now} and s.idle_until > ${now}
      and (not s.is_enrolling or s.created_at > ${enrollingSince}::timestamptz)`;
}

const portalRow = row('portal of an operator', { pms: text });

/** The session as the console shows it. */
export async function describeOperatorSession({
  tx,
  actor,
  service,
}: Pick<Ctx<OperatorActor>, 'tx' | 'actor' | 'service'>): Promise<OperatorSessionOutput> {
  const portals =
    actor.partners === null
      ? null
      : await tx.many(
          portalRow,
          sql`select pms from partner where id = any(${actor.partners}::text[]) order by pms`,
        );
  return {
    id: actor.sessionId,
    operator_id: actor.operatorId,
    name: actor.name,
    role: actor.role,
    permissions: [...permissionsOf[actor.role]],
    environment: service.environment,
    is_enrolling: actor.isEnrolling,
    partners: portals?.map(({ pms }) => pms) ?? null,
    expires_at: actor.expiresAt.toISOString(),
    proven_at: actor.provenAt?.toISOString() ?? null,
  };
}

/** Signs this browser out. */
export async function closeOperatorSession(ctx: Ctx<OperatorActor>): Promise<void> {
  const { actor, now } = ctx;
  await ctx.tx.run(sql`
    update operator_session set revoked_at = ${now}
    where id = ${actor.sessionId} and revoked_at is null`);
  await recordOperatorAction(ctx, actor, {
    action: 'operator.session_closed',
    subject_id: actor.sessionId,
  });
}

const listedRow = row('listed operator session', {
  id: text,
  operator_id: text,
  name: text,
  created_at: instant,
  expires_at: instant,
});

/** Lists the open sessions of the person, or of everybody for a person who manages people. Newest first. */
export async function listOperatorSessions({
  tx,
  now,
  actor,
}: Pick<Ctx<OperatorActor>, 'tx' | 'now' | 'actor'>) {
  const rows = await tx.many(
    listedRow,
    sql`
    /* many rows: all open sessions */
    select s.id, s.operator_id, o.name, s.created_at, s.expires_at
    from operator_session s join operator o on o.id = s.operator_id
    where ${isOpen(now)} and ${isManageable(actor)}
    order by s.id desc limit ${mostListed}`,
  );
  const items = rows.map(({ created_at, expires_at, ...it }) => ({
    ...it,
    opened_at: created_at.toISOString(),
    expires_at: expires_at.toISOString(),
    is_yours: it.id === actor.sessionId,
  }));
  return { items };
}

/** Ends a session of the person, or of anybody for a person who manages people. @throws Refusal */
export async function endOperatorSession(
  ctx: Ctx<OperatorActor>,
  { id }: { readonly id: string },
): Promise<null> {
  const { tx, now, actor } = ctx;
  const ended = await tx.run(sql`
    update operator_session s set revoked_at = ${now}
    where s.id = ${id} and ${isOpen(now)} and ${isManageable(actor)}`);
  if (ended === 0) throw new Refusal('not_found', { message: 'This session has ended already.' });
  await recordOperatorAction(ctx, actor, { action: 'operator.session_ended', subject_id: id });
  return null;
}

function isManageable(actor: OperatorActor): Sql {
  return isAllowed(actor, 'people') ? sql`true` : sql`s.operator_id = ${actor.operatorId}`;
}
