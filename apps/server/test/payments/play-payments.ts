import { sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import type { PartnerActor, TenantActor } from '../../src/domain/access/actor.ts';
import { returnPayment } from '../../src/domain/disputes/return-payment.ts';
import {
  acceptPlan,
  addPaymentMethod,
  payInstallments,
  submitApplication,
} from '../../src/domain/intake/experience-commands.ts';
import { recordPortalInfo } from '../../src/domain/intake/record-portal-info.ts';
import { listQuotes } from '../../src/domain/offers/list-quotes.ts';
import { loadOpenPlan } from '../../src/domain/plans/live-plan.ts';
import { refundSettlement } from '../../src/domain/refunds/refund.ts';
import { refundPayment } from '../../src/domain/refunds/refund-payment.ts';
import { Refusal } from '../../src/domain/refusal.ts';
import { updateSettlement } from '../../src/domain/settlements/update.ts';
import { tick } from '../../src/jobs/tick.ts';
import type { Stage } from '../support/open-stage.ts';

const quiet = { info: () => {}, warn: () => {}, error: () => {} };

/** The commands of tenants, the clock and the portal that move payments, without HTTP. */
export function playPayments(stage: Stage, partner: PartnerActor) {
  const { runSteps, run } = stage;
  type Quote = Awaited<ReturnType<typeof firstQuote>>;
  /** The quotes that tenants have accepted, by tenant id. */
  const accepted = new Map<string, Quote>();

  async function newTenant(externalId: string): Promise<TenantActor> {
    const charge = { id: 'C-1', due_date: '2026-02-01', amount_in_cents: 152_012 };
    const charges = [{ ...charge, amount_paid_in_cents: 0 }];
    const name = { first_name: 'Ada', last_name: 'Lane', email: 'ada@example.com' };
    await run(partner, (ctx) =>
      recordPortalInfo(ctx, {
        external_id: externalId,
        input: { ...name, charges },
        dry_run: false,
      }),
    );
    const { id } = await oneRowOf<{ id: string }>(
      stage.plain,
      sql`
      select id from tenant
      where partner_id = ${partner.partnerId} and external_id = ${externalId}`,
    );
    return stage.tenantOf(partner, id);
  }

  async function firstQuote(actor: TenantActor) {
    const { items } = await run(actor, (ctx) => listQuotes(ctx));
    // Late in the month there are only plans of fewer payments.
    const quote = items.find((it) => it.installment_count === 4) ?? items.at(-1);
    // A tenant whose plan ended late in the month has nothing left to split.
    if (!quote?.disclosure) throw new Refusal('quote_not_found');
    return { quote_id: quote.id, accepted_disclosure_sha256: quote.disclosure.sha256 };
  }

  return {
    /** Creates a tenant who only has to choose a plan. */
    async toPlanChoice(externalId: string, account_number = '000111110000'): Promise<TenantActor> {
      const actor = await newTenant(externalId);
      const applicant = { date_of_birth: '1990-04-01', monthly_income_in_cents: 500_000 };
      await run(actor, (ctx) => submitApplication(ctx, { ...applicant, consent: true }));
      await runSteps(actor, (steps) =>
        addPaymentMethod(steps, {
          type: 'bank_account',
          routing_number: '110000000',
          account_number,
          account_type: 'checking',
        }),
      );
      return actor;
    },

    /**
     * Accepts a plan of four payments if it is offered. Repeated, it accepts the same quote again, or
     * a new one if that plan has ended, for example because its first payment was never sent.
     */
    async accept(actor: TenantActor) {
      const acceptQuote = async (input: Quote) => {
        accepted.set(actor.tenantId, input);
        return runSteps(actor, (steps) => acceptPlan(steps, { input, ip: '', userAgent: null }));
      };
      const earlier = accepted.get(actor.tenantId);
      if (!earlier) return acceptQuote(await firstQuote(actor));
      return acceptQuote(earlier).catch(async (error: unknown) => {
        const ended = error instanceof Refusal && error.code === 'quote_not_found';
        if (!ended) throw error;
        return acceptQuote(await firstQuote(actor));
      });
    },

    /** Pays these installments, by their numbers. */
    async pay(actor: TenantActor, numbers: readonly number[]) {
      const plan = await loadOpenPlan(stage.plain, actor);
      if (!plan) return undefined;
      const installment_ids = plan.parts
        .filter((it) => numbers.includes(it.number))
        .map(({ id }) => id);
      return runSteps(actor, (steps) =>
        payInstallments(steps, { id: plan.id, input: { installment_ids } }),
      );
    },

    /** Refunds part of the tenant's rent on behalf of the portal. */
    async refund(actor: TenantActor, amount_in_cents: number): Promise<void> {
      const found = await rowsOf<{ id: string; status: string }>(
        stage.plain,
        sql`
        select id, status from settlement
        where partner_id = ${actor.partnerId} and tenant_id = ${actor.tenantId}`,
      );
      for (const { id, status } of found) {
        if (status === 'unsettled') {
          await run(partner, (ctx) => updateSettlement(ctx, { id, input: { status: 'verified' } }));
        }
        await run(partner, (ctx) => refundSettlement(ctx, { id, input: { amount_in_cents } }));
      }
    },

    /** Lets two operators refund the same payment at once, each by this many cents. */
    refundByOperators: (paymentId: string, amountInCents: number) =>
      bothAtOnce(() =>
        run({ kind: 'system' }, (ctx) => refundPayment(ctx, { paymentId, amountInCents })),
      ),

    /** Lets two operators record at once that the bank returned a payment. */
    returnByOperators: (paymentId: string) =>
      bothAtOnce(() =>
        run({ kind: 'system' }, (ctx) => returnPayment(ctx, { paymentId, returnCode: 'R10' })),
      ),

    /** Returns a random succeeded payment of the tenant's plan; undefined if there is none. */
    async succeededPayment(
      { partnerId, tenantId }: TenantActor,
      random: () => number,
    ): Promise<{ id: string; amount: number } | undefined> {
      const paid = await rowsOf<{ id: string; amount: number }>(
        stage.plain,
        sql`
        select y.id, y.amount_in_cents as amount from payment y
          join installment i on i.partner_id = y.partner_id and i.id = y.installment_id
          join plan p on p.partner_id = i.partner_id and p.id = i.plan_id
        where p.partner_id = ${partnerId} and p.tenant_id = ${tenantId} and y.outcome = 'succeeded'
        order by y.id`,
      );
      return paid[Math.floor(random() * paid.length)];
    },

    /** Moves wall time and does everything that is due. */
    async pass(ms: number): Promise<void> {
      stage.clock.now = new Date(stage.clock.now.getTime() + ms);
      const { db, service } = stage;
      const clock = { now: () => stage.clock.now, after: () => () => {} };
      await tick({ db, service, clock, log: quiet });
    },
  };
}

/** Runs `work` twice at once. A run may be refused; any other error is thrown, such as the end of the process. */
async function bothAtOnce(work: () => Promise<unknown>): Promise<void> {
  const results = await Promise.allSettled([work(), work()]);
  for (const result of results) {
    if (result.status === 'rejected' && !(result.reason instanceof Refusal)) throw result.reason;
  }
}

export const minute = 60_000;
export const day = 24 * 60 * minute;
