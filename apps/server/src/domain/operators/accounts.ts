import { boolean, nullable, type Queryable, row, type Sql, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { Refusal } from '../refusal.ts';
import type { ProviderAccount } from './identity-provider.ts';
import { recordOperatorAction } from './record.ts';

/**
 * Lets a person sign in with the account that has this e-mail address at the provider, instead of the account that
 * they used before.
 * @throws Refusal if somebody else has the address
 */
export async function addAccount(
  { tx }: Pick<Ctx, 'tx'>,
  { operatorId, email }: { readonly operatorId: string; readonly email: string },
): Promise<void> {
  await deleteEnded(tx, sql`lower(a.email) = lower(${email})`);
  const taken = await tx.maybe(
    ownerRow,
    sql`
    select operator_id from operator_account
    where lower(email) = lower(${email}) and operator_id <> ${operatorId}`,
  );
  if (taken) {
    throw new Refusal('version_conflict', {
      message: `${taken.operatorId} has this e-mail address already. "svc-admin operator list" shows everyone.`,
    });
  }
  await tx.run(sql`
    insert into operator_account (operator_id, email) values (${operatorId}, ${email})
    on conflict (operator_id) do update set email = excluded.email, issuer = null, subject = null`);
}

const ownerRow = row('owner of an e-mail address', { operatorId: text });

const accountRow = row('account at the provider', {
  operatorId: text,
  isEnded: boolean,
  issuer: nullable(text),
  subject: nullable(text),
});

type FoundPerson = { readonly operatorId: string } | { readonly refusal: Refusal };

/**
 * Finds the person of an account at the provider. The first sign-in binds the account to the person with its
 * verified e-mail address; from then on the address does not count. Refusals are returned instead of thrown, so that
 * the transaction commits their audit entries.
 */
export async function personOfAccount(ctx: Ctx, account: ProviderAccount): Promise<FoundPerson> {
  const { tx } = ctx;
  const { issuer, subject, email, isEmailVerified } = account;
  const bound = await findAccount(tx, sql`a.issuer = ${issuer} and a.subject = ${subject}`);
  if (bound && !bound.isEnded) return bound;
  const isOwn = email !== null && isEmailVerified;
  const known = (isOwn && (await findAccount(tx, sql`lower(a.email) = lower(${email})`))) || bound;
  if (!known) {
    if (email === null) return refuse(ctx, account, 'no_email');
    return refuse(ctx, account, isOwn ? 'not_invited' : 'email_not_verified');
  }
  if (known.isEnded) return refuse(ctx, account, 'ended', known.operatorId);
  if (known.issuer === issuer) {
    // A concurrent sign-in has bound the account. Otherwise the address belongs to another account now.
    if (known.subject === subject) return known;
    return refuse(ctx, account, 'other_account', known.operatorId);
  }
  await deleteEnded(tx, sql`a.issuer = ${issuer} and a.subject = ${subject}`);
  await tx.run(sql`
    update operator_account set issuer = ${issuer}, subject = ${subject}
    where operator_id = ${known.operatorId}`);
  await recordOperatorAction(ctx, known, {
    action: 'operator.account_bound',
    subject_id: known.operatorId,
    details: { issuer, subject },
  });
  return known;
}

const sessionRow = row('person of a session', { operatorId: text, isOwn: boolean });

/** Finds the person of an open session, if the account is theirs. Returns refusals like `personOfAccount`. */
export async function personOfSession(
  ctx: Ctx,
  { account, sessionId }: { readonly account: ProviderAccount; readonly sessionId: string },
): Promise<FoundPerson> {
  const { tx, now } = ctx;
  const found = await tx.maybe(
    sessionRow,
    sql`
    select o.id as operator_id, exists (
      select from operator_account a where a.operator_id = o.id
        and a.issuer = ${account.issuer} and a.subject = ${account.subject}) as is_own
    from operator_session s join operator o on o.id = s.operator_id
    where s.id = ${sessionId} and s.revoked_at is null and s.expires_at > ${now}
      and s.idle_until > ${now} and o.disabled_at is null`,
  );
  if (!found) {
    return {
      refusal: new Refusal('invalid_credentials', {
        message: 'Your session has ended. Sign in again.',
      }),
    };
  }
  return found.isOwn ? found : refuse(ctx, account, 'other_person', found.operatorId);
}

/** The host of the provider at which a person signs in; null for someone who signs in at the console. */
export async function providerOf(
  { tx, service: { identityProvider } }: Pick<Ctx, 'tx' | 'service'>,
  operatorId: string,
): Promise<string | null> {
  if (identityProvider === null) return null;
  const own = await tx.maybe(
    ownerRow,
    sql`select operator_id from operator_account where operator_id = ${operatorId}`,
  );
  return own ? identityProvider.host : null;
}

function findAccount(q: Queryable, condition: Sql) {
  return q.maybe(
    accountRow,
    sql`
    select a.operator_id, a.issuer, a.subject, o.disabled_at is not null as is_ended
    from operator_account a join operator o on o.id = a.operator_id
    where ${condition} for update of a`,
  );
}

/** Frees the accounts of people whose access has ended, so that they can be invited again. */
async function deleteEnded(q: Queryable, condition: Sql): Promise<void> {
  await q.run(sql`
    delete from operator_account a using operator o
    where o.id = a.operator_id and o.disabled_at is not null and ${condition}`);
}

async function refuse(
  ctx: Ctx,
  { email, issuer, subject }: ProviderAccount,
  reason: keyof typeof refusals,
  operatorId?: string,
): Promise<{ refusal: Refusal }> {
  // The address is not written down: the provider's name for the account is enough to find it there.
  const details = { reason, issuer, subject };
  await recordOperatorAction(
    ctx,
    { operatorId: operatorId ?? 'unknown' },
    { action: 'operator.refused', ...(operatorId && { subject_id: operatorId }), details },
  );
  return {
    refusal: new Refusal(reason === 'other_person' ? 'invalid_credentials' : 'not_invited', {
      message: refusals[reason](email ?? 'the owner of this account'),
    }),
  };
}

const refusals = {
  not_invited: (email: string) =>
    `You signed in as ${email}, who was not invited to this console. Ask an admin of the console to invite this address with "svc-admin operator invite".`,
  ended: (email: string) =>
    `Access to this console has ended for ${email}. Ask an admin of the console to invite you again.`,
  other_account: (email: string) =>
    `${email} was invited and has signed in with another account of your provider. Ask an admin of the console to run "svc-admin operator email", which lets this account in.`,
  other_person: (email: string) =>
    `You signed in as ${email}, who is not the person of your session. Sign in as the same person.`,
  no_email: () =>
    'Your provider does not say your e-mail address, by which invitations are found. Ask whoever manages the provider to let this client have it (scope email).',
  email_not_verified: (email: string) =>
    `You signed in as ${email}, and your provider does not confirm that this address is yours. Ask whoever manages your account there to verify it.`,
};
