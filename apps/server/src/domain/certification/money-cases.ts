import { refundSettlement } from '../refunds/refund.ts';
import { reportSettlements } from '../settlements/report.ts';
import { returnSettlement } from '../settlements/return.ts';
import type { CertificationCase } from './case.ts';
import { type Finding, fail, pass, skipped, warn } from './finding.ts';
import { judgeDebit } from './judge-debit.ts';
import {
  findSettlement,
  type Message,
  type PlayedTenant,
  requireQuery,
  type Stage,
} from './stage.ts';

const docs = '/docs/settlements';
const shared = { area: 'money', needs: 'settlement.created', needsDebits: true } as const;

/** Cases about whether the partner's money follows the settlements. */
export const moneyCases: readonly CertificationCase[] = [
  {
    ...shared,
    name: 'debited_once',
    title: 'A settlement is debited once',
    docs,
    async run(stage) {
      const tenant = await stage.tenant('split');
      await stage.acceptAll(tenant.messages);
      const first = judgeDebit(await stage.debitOf(tenant));
      if (first.status !== 'pass') return first;
      // Later events name the same settlement.
      await stage.acceptAll(await stage.advance(tenant, 'settled'));
      return judgeDebit(await stage.debitOf(tenant), { how: ' after settlement.updated' });
    },
  },
  {
    ...shared,
    name: 'reported',
    title: 'The debit is reported',
    docs: '/docs/settlements#report-the-result',
    async run(stage) {
      const tenant = await stage.tenant('split');
      await stage.acceptAll(tenant.messages);
      const { settlement, view, calls, debitIds } = await stage.debitOf(tenant);
      const report = 'PATCH /v1/settlements/{id}';
      if (settlement && settlement.status !== 'unsettled') {
        if (settlement.processor_transaction_id !== null) {
          return pass(`You reported it as ${settlement.status}, with the id of your debit.`);
        }
        return warn({
          summary: `You reported it as ${settlement.status}, without the id of your debit.`,
          cause: 'Your code does not send processor_transaction_id.',
          fix: `Send processor_transaction_id with ${report}: the daily report is compared with your processor’s by it.`,
        });
      }
      if (calls > 0) {
        const [call] = await stage.callsAbout(settlement?.id ?? '');
        return fail({
          summary: `Your report was refused: ${call}${debitIds[0] ? `, with the debit ${debitIds[0]}` : ''}.`,
          cause: 'Your code sends a status or a field that the settlement does not take.',
          fix: 'Look the call up under API calls in the console, which says what was wrong with it.',
        });
      }
      if (!view?.debited_in_cents) {
        return skipped('Nothing shows that you debited it, so there is nothing to report.');
      }
      return fail({
        summary: `Your view has a debit of ${view.debited_in_cents} cents, and our settlement is still unsettled.`,
        cause:
          'Your backend debits and does not report it. After debit_by, the settlement counts as overdue.',
        fix: `Call ${report} with the status "unverified" once the debit is sent, and "verified" when it has arrived.`,
      });
    },
  },
  {
    ...shared,
    name: 'report_repeated',
    title: 'A report that our API could not take is sent again',
    docs: '/docs/settlements#report-the-result',
    async run(stage) {
      const tenant = await stage.tenant('split');
      const id = tenant.ours.settlement?.id ?? '';
      const { failed, call } = await stage.whileReportsAreRefused(id, async () => ({
        failed: await deliverInOutage(stage, tenant),
        call: await refusedCallAbout(stage, id),
      }));
      if (call === undefined) {
        return skipped('You made no report that our API could refuse; see the case "reported".');
      }
      stage.note(`${call}, from your backend`, 'Our API takes reports again.');
      await stage.acceptAll(failed, { as: 'a retry, without its wait' });
      const settlement = await stage.reportedSettlement(tenant, repeatMs);
      if (settlement?.status === 'unsettled') return judgeMissingReport(stage, { tenant, failed });
      const debit = judgeDebit(await stage.debitOf(tenant), {
        how: ' after its report was refused',
      });
      if (debit.status === 'fail') return debit;
      return pass(`${call} was the answer to your report, and you sent it again.`);
    },
  },
  {
    ...shared,
    name: 'returned',
    title: 'A debit that the bank returns is no money',
    docs: '/docs/settlements#the-bank-returned-a-debit',
    async run(stage) {
      requireQuery(stage);
      const { tenant, id } = await settledTenant(stage);
      const messages = await stage.act(tenant, (ctx) =>
        returnSettlement(ctx, { id, input: { reason: 'R10: reported as unauthorized' } }),
      );
      await stage.acceptAll(messages);
      const debitedOf = (view: Parameters<typeof findSettlement>[0]) =>
        findSettlement(view, id)?.debited_in_cents;
      const view = await stage.viewOnce(tenant.externalId, (it) => debitedOf(it) === 0);
      const debited = view && debitedOf(view);
      if (debited === 0) return pass('Your view has no money of it any more.');
      if (debited === undefined || debited === null) {
        return skipped('Your tenant query does not say what you debited (debited_in_cents).');
      }
      return fail({
        summary: `Your view still has ${debited} cents of a debit that the bank returned.`,
        cause:
          'Your receiver does not handle settlement.failed, or settlement.updated with new_status "returned".',
        fix: 'Take the debit off your books when settlement.failed arrives: we owe you the settlement again.',
      });
    },
  },
  {
    ...shared,
    name: 'refunded',
    title: 'Money that the landlord sends back is booked',
    docs: '/docs/settlements#the-landlord-credited-the-tenant',
    async run(stage) {
      requireQuery(stage);
      const { tenant, id } = await settledTenant(stage);
      const amount_in_cents = 12_003;
      const messages = await stage.act(tenant, (ctx) =>
        refundSettlement(ctx, {
          id,
          input: { amount_in_cents, reason: 'The landlord credited the tenant' },
        }),
      );
      await stage.acceptAll(messages);
      const sentBackOf = (view: Parameters<typeof findSettlement>[0]) =>
        findSettlement(view, id)?.sent_back_in_cents;
      const view = await stage.viewOnce(
        tenant.externalId,
        (it) => sentBackOf(it) === amount_in_cents,
      );
      const sentBack = view && sentBackOf(view);
      if (sentBack === undefined || sentBack === null) {
        return skipped('Your tenant query does not say what you sent back (sent_back_in_cents).');
      }
      if (sentBack === amount_in_cents) return pass('Your view has the refund.');
      const fix =
        'When plan.updated has change: "refunded", read GET /v1/settlements/{id}/refunds, and book what you do not have yet.';
      if (sentBack === 0) {
        return warn({
          summary: `Your view has no refund, and ${amount_in_cents} cents were sent back.`,
          cause:
            'Your books have the refunds that your own code makes, and not those of the console or another program.',
          fix,
        });
      }
      return fail({
        summary: `Your view says that ${sentBack} cents were sent back, and it was ${amount_in_cents}.`,
        cause: 'Your receiver books a refund more than once, or another amount.',
        fix,
      });
    },
  },
  {
    ...shared,
    name: 'daily_report',
    title: 'The daily report agrees with the books',
    docs: '/docs/settlements#the-days-report',
    async run(stage) {
      const tenants = [await stage.tenant('split'), await stage.tenant('split')];
      for (const { messages } of tenants) await stage.acceptAll(messages);
      let booked = 0;
      for (const tenant of tenants) {
        const debit = await stage.debitOf(tenant);
        const finding = judgeDebit(debit);
        if (finding.status !== 'pass') return finding;
        booked += debit.view?.debited_in_cents ?? debit.settlement?.amount_in_cents ?? 0;
      }
      const ids = new Set(tenants.map(({ ours }) => ours.settlement?.id));
      const date = stage.now.toISOString().slice(0, 10);
      const report = await stage.read((ctx) => reportSettlements(ctx, { date }));
      const rows = report.items.filter((it) => ids.has(it.id));
      const open = rows.filter(({ status }) => status === 'unsettled');
      stage.note(
        `The report of ${date}`,
        rows.map(({ id, status, amount_in_cents: it }) => `${id} ${status} ${it}`).join('; '),
      );
      const [mismatch] = report.mismatches.filter(({ id }) => ids.has(id));
      if (mismatch) {
        return fail({
          summary: `The report has a mismatch (${mismatch.code}): ${mismatch.message}`,
          cause:
            mismatch.code === 'processor_transaction_id_repeated'
              ? 'Your code reports one id for several debits.'
              : 'Your code reports debits without their ids.',
          fix: 'Report each debit with the id that your processor gave it.',
        });
      }
      if (open.length > 0) {
        return warn({
          summary: `You debited ${booked} cents, and ${open.length} of ${rows.length} settlements in the report are unsettled.`,
          cause:
            'Your backend debits and does not report it, so the report does not agree with your bank.',
          fix: 'Call PATCH /v1/settlements/{id} once a debit is sent.',
        });
      }
      const reported = rows.reduce((sum, it) => sum + it.amount_in_cents, 0);
      if (reported === booked)
        return pass(`Both say ${reported} cents for ${rows.length} settlements.`);
      return fail({
        summary: `The report says ${reported} cents, and your view ${booked}.`,
        cause: 'Your code debits another amount than amount_in_cents of the settlement.',
        fix: 'Debit amount_in_cents as it is, in integer cents.',
      });
    },
  },
];

/** How long a backend that has accepted the webhook may take to repeat its report. */
const repeatMs = 5_000;

/** Sends a tenant's webhooks, whatever the answers are. Returns those that were not accepted. */
async function deliverInOutage(stage: Stage, { messages }: PlayedTenant): Promise<Message[]> {
  const failed: Message[] = [];
  for (const message of messages) {
    const answer = await stage.deliver(message, {
      as: 'while our API answers 503',
      mayHang: true,
    });
    if (answer.errorClass !== null) failed.push(message);
  }
  return failed;
}

/** Waits up to 1.5 s for a report that our API refuses: a backend may make it after it has answered the webhook. */
async function refusedCallAbout(stage: Stage, settlementId: string): Promise<string | undefined> {
  const find = async () => {
    const calls = await stage.callsAbout(settlementId);
    return calls.find((call) => call.endsWith('(503)'));
  };
  let call = await find();
  for (let waited = 0; waited < 1_500 && call === undefined; waited += 100) {
    await stage.pause(100);
    call = await find();
  }
  return call;
}

/** Finds the mistake of a backend whose report was refused and was not sent again. */
async function judgeMissingReport(
  stage: Stage,
  { tenant, failed }: { readonly tenant: PlayedTenant; readonly failed: readonly Message[] },
): Promise<Finding> {
  const view = await stage.view(tenant.externalId);
  const booked = view && findSettlement(view, tenant.ours.settlement?.id ?? '');
  if (booked?.status === 'queued') {
    return pass('Your view says that the settlement waits in a queue, so it is reported later.');
  }
  const [first] = failed;
  if (first === undefined) {
    return fail({
      summary: `Our API answered 503 to your report, your endpoint accepted the webhook all the same, and ${repeatMs / 1_000} seconds later there was no other report.`,
      cause:
        'Your receiver answers 2xx although its report failed, and does not repeat the report.',
      fix: 'Answer 500 if a call to our API fails, so that we send the webhook again. Or store the report, and repeat it until our API has taken it.',
    });
  }
  return fail({
    summary: `Our API answered 503 to your report, and your endpoint failed. It accepted ${first.type} again, and made no other report.`,
    cause:
      'Your receiver marks a webhook as handled before its work is done, so it skips the retry.',
    fix: 'Store the webhook-id in the transaction of the work, or after it, so that a webhook whose work failed is handled again.',
    docs: '/docs/webhooks#a-receiver',
  });
}

/** Plays a tenant whose settlement was debited and has arrived, and delivers its webhooks. */
async function settledTenant(stage: Stage): Promise<{ tenant: PlayedTenant; id: string }> {
  const tenant = await stage.tenant('split');
  await stage.acceptAll(tenant.messages);
  const finding = judgeDebit(await stage.debitOf(tenant));
  if (finding.status !== 'pass') stage.end(finding);
  await stage.acceptAll(await stage.advance(tenant, 'settled'));
  return { tenant, id: tenant.ours.settlement?.id ?? '' };
}
