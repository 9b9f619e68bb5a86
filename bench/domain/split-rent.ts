import { row, sql, text } from '@svc/db';
import type { Ctx, RequestSteps } from '../../apps/server/src/context.ts';
import type { Actor, TenantActor } from '../../apps/server/src/domain/access/actor.ts';
import {
  acceptPlan,
  addPaymentMethod,
  submitApplication,
} from '../../apps/server/src/domain/intake/experience-commands.ts';
import { recordPortalInfo } from '../../apps/server/src/domain/intake/record-portal-info.ts';
import { listQuotes } from '../../apps/server/src/domain/offers/list-quotes.ts';
import { readingTx } from '../../apps/server/src/http/query.ts';
import { context, readOnly, runCommand, runSteps, type Stage } from './setup.ts';

interface Month {
  readonly dueDate: string;
  readonly now: Date;
  /** The id of a returning tenant, who already has a payment method. */
  readonly known?: string | undefined;
  /** Runs each call under its name, for example to measure it. */
  readonly around?: <T>(name: string, call: () => Promise<T>) => Promise<T>;
}

/**
 * Runs one tenant's month, from the portal's charge to a plan of four payments, with the calls that
 * the experience makes and one transaction for each. Returns the tenant's id.
 */
export async function splitRent(
  { db, partner }: Stage,
  externalId: string,
  { dueDate, now, known, around = (_, call) => call() }: Month,
): Promise<string> {
  const verb = <A extends Actor, T>(actor: A, run: (ctx: Ctx<A>) => Promise<T>) =>
    runCommand(db, now, actor, run);
  const info = { external_id: externalId, input: portalInfo(dueDate), dry_run: false };
  await around('portal_info', () => verb(partner, (ctx) => recordPortalInfo(ctx, info)));
  const tenantId = known ?? (await findId({ db, partner }, externalId));
  const { partnerId, pms } = partner;
  const tenant = { kind: 'tenant', partnerId, pms, tenantId } as const;
  const actor = {
    ...tenant,
    productVariant: 'rent',
    sessionId: 'xps_bench',
    access: 'full',
  } as const;
  const steps = <T>(run: (steps: RequestSteps<TenantActor>) => Promise<T>) =>
    runSteps(db, now, actor, run);
  await around('application', () => verb(actor, (ctx) => submitApplication(ctx, application)));
  if (!known) await around('account', () => steps((it) => addPaymentMethod(it, account)));
  const { items } = await around('quotes', () =>
    listQuotes(context(readOnly(db, readingTx(db), now), actor)),
  );
  const quote = items.at(-1);
  if (!quote?.disclosure) throw new Error(`There is no quote for ${externalId}.`);
  const input = { quote_id: quote.id, accepted_disclosure_sha256: quote.disclosure.sha256 };
  const { failure } = await around('acceptance', () =>
    steps((it) => acceptPlan(it, { input, ip: '192.0.2.1', userAgent: null })),
  );
  if (failure) throw new Error(`${externalId} could not pay: ${failure.message}`);
  return tenantId;
}

async function findId(
  { db, partner }: Pick<Stage, 'db' | 'partner'>,
  externalId: string,
): Promise<string> {
  const { id } = await db.one(
    row('tenant id', { id: text }),
    sql`
    select id from tenant where partner_id = ${partner.partnerId} and external_id = ${externalId}`,
  );
  return id;
}

/** The data of a tenant with one charge. */
export function portalInfo(dueDate: string) {
  return {
    first_name: 'Ada',
    last_name: 'Lane',
    email: 'ada@example.com',
    charges: [
      { id: `C-${dueDate}`, due_date: dueDate, amount_in_cents: 152_012, amount_paid_in_cents: 0 },
    ],
  };
}

const application = {
  date_of_birth: '1990-04-01',
  monthly_income_in_cents: 500_000,
  consent: true,
} as const;

const account = {
  type: 'bank_account',
  routing_number: '110000000',
  account_number: '000111110000',
  account_type: 'checking',
} as const;
