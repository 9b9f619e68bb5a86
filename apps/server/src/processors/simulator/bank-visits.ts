import { randomBytes } from 'node:crypto';
import { testBankAccounts, testBanks, testRoutingNumber } from '@svc/contract';
import { boolean, instant, nullable, type Queryable, row, type Sql, sql, text } from '@svc/db';
import type { SetupRequest, SetupStep } from '../../domain/payments/processor.ts';
import type { BankVisit } from '../../domain/payments/simulator.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { TenantKey } from '../../domain/tenant-key.ts';
import { registerBankAccount } from './test-instruments.ts';

/** The path below which the pages of the simulated banks are served. */
export const bankPath = '/sandbox/bank';

const openForMs = 60 * 60_000;

const visitRow = row('visit to a simulated bank', {
  bank: text,
  url: text,
  accountNumber: nullable(text),
  canceled: boolean,
  createdAt: instant,
});

/** Opens the page of the picked bank. A repeated call with the same key opens the same page. */
export async function beginVisit(
  q: Queryable,
  { key, payer, bank, returnUrl }: SetupRequest & { readonly bank: string },
  now: Date,
): Promise<SetupStep> {
  if (!testBanks.some((it) => it.id === bank)) {
    const message = 'must be one of the banks in the list';
    throw new Refusal('validation_failed', {
      errors: [{ param: 'bank', code: 'invalid_value', message }],
    });
  }
  const ref = randomBytes(24).toString('base64url');
  const url = new URL(`${bankPath}/${ref}`, returnUrl).href;
  const begun = await q.one(
    begunRow,
    sql`
    insert into simulator_setup (partner_id, id, tenant_id, ref, bank, url, created_at)
    values (${payer.partnerId}, ${key}, ${payer.tenantId}, ${ref}, ${bank}, ${url}, ${now})
    on conflict (partner_id, id) do update set id = excluded.id
    returning ref, url`,
  );
  return { kind: 'redirect', ...begun };
}

const begunRow = row('begun visit', { ref: text, url: text });

/** The present state of a visit as a step of the setup. */
export async function stepOfVisit(q: Queryable, ref: string, now: Date): Promise<SetupStep> {
  const visit = await readVisit(q, ref);
  if (!visit) return { kind: 'failed', ref, reason: 'expired' };
  if (visit.accountNumber !== null) {
    const method = registerBankAccount({
      type: 'bank_account',
      routing_number: testRoutingNumber,
      account_number: visit.accountNumber,
      account_type: 'checking',
    });
    return { kind: 'ready', method, ref };
  }
  if (visit.canceled) return { kind: 'failed', ref, reason: 'canceled' };
  return isOpen(visit, now)
    ? { kind: 'redirect', url: visit.url, ref }
    : { kind: 'failed', ref, reason: 'expired' };
}

export async function findVisit(q: Queryable, ref: string, now: Date): Promise<BankVisit | null> {
  const visit = await readVisit(q, ref);
  const bank = testBanks.find((it) => it.id === visit?.bank);
  return visit && bank ? { bank, isOpen: isOpen(visit, now) } : null;
}

const endedRow = row('ended visit', { partnerId: text, tenantId: text });

/** Ends an open visit; null if there is none. The statement's condition lets one of two concurrent choices win. */
export async function endVisit(
  q: Queryable,
  { ref, accountNumber, now }: Choice & { readonly ref: string },
): Promise<TenantKey | null> {
  if (!isTestAccount(accountNumber)) return null;
  const ended = await q.maybe(
    endedRow,
    sql`
    /* all partners: the reference cannot be guessed */
    update simulator_setup
    set account_number = ${accountNumber}, canceled = ${accountNumber === null}
    where ref = ${ref} and ${isOpenAt(now)}
    returning partner_id, tenant_id`,
  );
  return ended ?? null;
}

export async function endVisitsOf(
  q: Queryable,
  { partnerId, tenantId, accountNumber, now }: Choice & TenantKey,
): Promise<void> {
  if (!isTestAccount(accountNumber)) return;
  await q.run(sql`
    update simulator_setup
    set account_number = ${accountNumber}, canceled = ${accountNumber === null}
    where partner_id = ${partnerId} and tenant_id = ${tenantId} and ${isOpenAt(now)}`);
}

interface Choice {
  /** Null if the tenant left without an account. */
  readonly accountNumber: string | null;
  readonly now: Date;
}

function isOpenAt(now: Date): Sql {
  return sql`account_number is null and not canceled
      and created_at > ${new Date(now.getTime() - openForMs)}`;
}

function isTestAccount(accountNumber: string | null): boolean {
  return (
    accountNumber === null || testBankAccounts.some((it) => it.account_number === accountNumber)
  );
}

function readVisit(q: Queryable, ref: string) {
  return q.maybe(
    visitRow,
    sql`
    /* all partners: the reference cannot be guessed */
    select bank, url, account_number, canceled, created_at
    from simulator_setup where ref = ${ref}`,
  );
}

interface Ending {
  readonly accountNumber: string | null;
  readonly canceled: boolean;
  readonly createdAt: Date;
}

function isOpen({ accountNumber, canceled, createdAt }: Ending, now: Date): boolean {
  return accountNumber === null && !canceled && now.getTime() - createdAt.getTime() < openForMs;
}
