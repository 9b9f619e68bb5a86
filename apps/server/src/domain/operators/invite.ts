import type { OperatorRole } from '@svc/contract/operator';
import { boolean, listOf, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { newSecret, sha256 } from '../access/secrets.ts';
import { Refusal } from '../refusal.ts';
import { addAccount, providerOf } from './accounts.ts';

const linkMinutes = 15;

interface Invited {
  readonly operator_id: string;
  readonly url: string;
  /** Null if `url` is the console's address, where the person signs in at the provider. */
  readonly expires_at: string | null;
}

/**
 * Adds a person who may open the operator's console, and creates the link that lets them in once. Someone with an
 * account at the provider needs no link.
 * @throws Refusal where the console is off, or for an unknown portal
 */
export async function inviteOperator(
  ctx: Pick<Ctx, 'tx' | 'now' | 'service'>,
  input: {
    readonly name: string;
    readonly role: OperatorRole;
    /** The portals that the person is limited to; all of them when left out. */
    readonly partners?: readonly string[] | undefined;
    /** The e-mail address of the person's account at the provider. */
    readonly email?: string | undefined;
  },
): Promise<Invited & { readonly is_first: boolean }> {
  const id = newId('opr', ctx.now);
  const { is_first } = await ctx.tx.one(
    firstRow,
    sql`select not exists (select from operator) as is_first`,
  );
  const partnerIds = input.partners === undefined ? null : await idsOf(ctx, input.partners);
  await refuseTakenName(ctx, input.name);
  await ctx.tx.run(sql`
    insert into operator (id, name, role, partner_ids, created_at)
    values (${id}, ${input.name}, ${input.role}, ${partnerIds}::text[], ${ctx.now})`);
  if (input.email !== undefined) await addAccount(ctx, { operatorId: id, email: input.email });
  if ((await providerOf(ctx, id)) === null) return { ...(await createInvite(ctx, id)), is_first };
  return { operator_id: id, url: `${originOf(ctx)}/operator`, expires_at: null, is_first };
}

const firstRow = row('first operator', { is_first: boolean });

/** Creates a link that opens one session of the operator. It works for 15 minutes unless told otherwise. */
export async function createInvite(
  { tx, now, service }: Pick<Ctx, 'tx' | 'now' | 'service'>,
  operatorId: string,
  minutes = linkMinutes,
): Promise<Invited> {
  const origin = originOf({ service });
  const secret = newSecret('svc_oi_');
  const expiresAt = new Date(now.getTime() + minutes * 60_000);
  await tx.run(sql`
    insert into operator_invite (secret_sha256, operator_id, created_at, expires_at)
    values (${sha256(secret)}, ${operatorId}, ${now}, ${expiresAt})`);
  return {
    operator_id: operatorId,
    url: `${origin}/operator#${secret}`,
    expires_at: expiresAt.toISOString(),
  };
}

function originOf({ service: { operatorOrigin } }: Pick<Ctx, 'service'>): string {
  if (operatorOrigin !== null) return operatorOrigin;
  throw new Refusal('not_found', {
    message:
      'The operator’s console is off. Set SVC_OPERATOR_ORIGIN, for the service and for this command.',
  });
}

const nameRow = row('operator with a name', { id: text });

/** Refuses a name that is taken, because approvals and the audit log identify people by their names. */
async function refuseTakenName({ tx }: Pick<Ctx, 'tx'>, name: string): Promise<void> {
  const taken = await tx.maybe(
    nameRow,
    sql`select id from operator where lower(name) = lower(${name}) and disabled_at is null`,
  );
  if (!taken) return;
  throw new Refusal('version_conflict', {
    message: `${taken.id} is called ${name} already. Choose another name, such as one with a middle initial.`,
  });
}

const partnerRow = row('partners by name', { ids: listOf(text), names: listOf(text) });

async function idsOf({ tx }: Pick<Ctx, 'tx'>, portals: readonly string[]): Promise<string[]> {
  const { ids, names } = await tx.one(
    partnerRow,
    sql`
    select coalesce(array_agg(id order by id), '{}') as ids, coalesce(array_agg(pms), '{}') as names
    from partner where pms = any(${portals}::text[])`,
  );
  const unknown = portals.filter((pms) => !names.includes(pms));
  if (unknown.length === 0) return ids;
  throw new Refusal('not_found', {
    message: `There is no portal ${unknown.map((pms) => `"${pms}"`).join(', ')}. "svc-admin key list" shows the portals.`,
  });
}
