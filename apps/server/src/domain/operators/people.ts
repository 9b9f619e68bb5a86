import { type OperatorRole, operatorRoles } from '@svc/contract/operator';
import {
  bigint,
  boolean,
  instant,
  listOf,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  row,
  sql,
  text,
} from '@svc/db';
import type { Ctx } from '../../context.ts';
import { Refusal } from '../refusal.ts';

const personRow = row('person of the console', {
  id: text,
  name: text,
  role: oneOf(...operatorRoles),
  partners: nullable(listOf(text)),
  /** True if the person has a passkey, or a password with an authenticator app. */
  is_enrolled: boolean,
  /** The e-mail address of the person's account at the provider. */
  email: nullable(text),
  /** True if the person has signed in with this account. */
  has_account: boolean,
  open_sessions: bigint,
  last_seen_at: nullable(instant),
  disabled_at: nullable(instant),
});

export type Person = RowOf<typeof personRow>;

/** Lists everyone who was ever invited to the operator's console, by name. */
export function listPeople(
  { tx, now }: { readonly tx: Queryable; readonly now: Date },
  limit: number,
): Promise<Person[]> {
  return tx.many(
    personRow,
    sql`
    /* all partners */
    select o.id, o.name, o.role,
      (select array_agg(p.pms order by p.pms) from partner p where p.id = any(o.partner_ids))
        as partners,
      exists (select from operator_passkey k where k.operator_id = o.id)
        or exists (select from operator_password w where w.operator_id = o.id) as is_enrolled,
      a.email, a.subject is not null as has_account,
      (select count(*) from operator_session s where s.operator_id = o.id and s.revoked_at is null
        and s.expires_at > ${now} and s.idle_until > ${now}) as open_sessions,
      (select max(s.created_at) from operator_session s where s.operator_id = o.id) as last_seen_at,
      o.disabled_at
    from operator o left join operator_account a on a.operator_id = o.id
    order by o.disabled_at is not null, lower(o.name), o.id limit ${limit}`,
  );
}

const roleRow = row('role of a person', { name: text, before: oneOf(...operatorRoles) });

/** Gives a person another role, which applies to open sessions from their next request on. */
export async function changeRole(
  { tx }: Pick<Ctx, 'tx'>,
  { operatorId, role }: { readonly operatorId: string; readonly role: OperatorRole },
): Promise<{ name: string; before: OperatorRole }> {
  const changed = await tx.maybe(
    roleRow,
    sql`
    update operator o set role = ${role}
    from (select id, role as before from operator where id = ${operatorId} for update) b
    where o.id = b.id and o.disabled_at is null
    returning o.name, b.before`,
  );
  return changed ?? refuseUnknown(operatorId);
}

const endedRow = row('person who may not sign in any more', { name: text });

/** Ends a person's sessions and unused links. No one can sign in as that person again. */
export async function endPerson(
  { tx, now }: Pick<Ctx, 'tx' | 'now'>,
  { operatorId }: { readonly operatorId: string },
): Promise<{ name: string; sessions_ended: number }> {
  const ended = await tx.maybe(
    endedRow,
    sql`
    update operator set disabled_at = ${now} where id = ${operatorId} and disabled_at is null
    returning name`,
  );
  const { name } = ended ?? refuseUnknown(operatorId);
  await tx.run(sql`
    update operator_invite set expires_at = ${now}
    where operator_id = ${operatorId} and used_at is null and expires_at > ${now}`);
  const sessions = await tx.run(sql`
    update operator_session set revoked_at = ${now}
    where operator_id = ${operatorId} and revoked_at is null and expires_at > ${now}`);
  return { name, sessions_ended: sessions };
}

const nameRow = row('name of a person', { name: text });

/** @throws Refusal for someone who may not sign in */
export async function requirePerson(q: Queryable, operatorId: string): Promise<{ name: string }> {
  const found = await q.maybe(
    nameRow,
    sql`select name from operator where id = ${operatorId} and disabled_at is null`,
  );
  return found ?? refuseUnknown(operatorId);
}

function refuseUnknown(operatorId: string): never {
  throw new Refusal('not_found', {
    message: `Nobody who may sign in is ${operatorId}. "svc-admin operator list" shows everyone.`,
  });
}
