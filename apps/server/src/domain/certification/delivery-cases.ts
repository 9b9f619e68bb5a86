import type { CertificationCase } from './case.ts';
import { agrees, differenceOf } from './compare-view.ts';
import { describeOutcome } from './explain-answer.ts';
import { type Finding, fail, pass, skipped, warn } from './finding.ts';
import { judgeDebit } from './judge-debit.ts';
import {
  findSettlement,
  type Message,
  type PlayedTenant,
  requireQuery,
  type Stage,
} from './stage.ts';

const onceDocs = '/docs/webhooks#a-receiver';
const orderDocs = '/docs/webhooks#the-body';

/** Cases about deliveries that are repeated, out of order, late or lost. */
export const deliveryCases: readonly CertificationCase[] = [
  {
    name: 'stored_before_answer',
    area: 'receiver',
    title: 'An event is stored before it is answered',
    docs: onceDocs,
    needs: 'settlement.created',
    async run(stage) {
      requireQuery(stage);
      const tenant = await stage.tenant('split');
      const id = tenant.ours.settlement?.id ?? '';
      const isKnown = (view: Parameters<typeof findSettlement>[0]) =>
        findSettlement(view, id) !== undefined;
      await stage.acceptAll(tenant.messages);
      const atOnce = await stage.view(tenant.externalId);
      if (atOnce && isKnown(atOnce)) {
        return pass('Your view had the settlement right after the response.');
      }
      const later = await stage.viewOnce(tenant.externalId, isKnown);
      if (!later || !isKnown(later)) {
        return skipped('Your view does not show the settlement at all; see the case "split".');
      }
      return warn({
        summary: 'Your view had no settlement right after the response, and had it later.',
        cause:
          'Your receiver answers before it stores the event. If it stops in between, the event is lost: we do not send again what was accepted.',
        fix: 'Store the event, or put it into a durable queue, and then answer. Show what waits in the queue as a settlement with the status "queued".',
      });
    },
  },
  {
    name: 'duplicates',
    area: 'receiver',
    title: 'A repeated webhook is handled once',
    docs: onceDocs,
    async run(stage) {
      const one = await stage.tenant('split');
      for (const message of one.messages) {
        await stage.accept(message);
        await repeat(stage, one, { message, as: 'a second time' });
      }
      const other = await stage.tenant('split');
      for (const message of other.messages) {
        await Promise.all([
          stage.accept(message, { as: 'twice at once (1)' }),
          repeat(stage, other, { message, as: 'twice at once (2)' }),
        ]);
      }
      return agreeAll(stage, [
        [one, ' because it came a second time'],
        [other, ' because it came twice at once'],
      ]);
    },
  },
  {
    name: 'reordered',
    area: 'receiver',
    title: 'The order of webhooks does not matter',
    docs: orderDocs,
    async run(stage) {
      const tenant = await stage.tenant('split');
      await stage.acceptAll(tenant.messages.toReversed(), { as: 'in reverse order' });
      return agreeAll(stage, [[tenant, '']]);
    },
  },
  {
    name: 'late',
    area: 'receiver',
    title: 'A late webhook does not undo a newer one',
    docs: orderDocs,
    async run(stage) {
      const tenant = await stage.tenant('paid_off');
      const isHeldBack = ({ type }: Message) =>
        type === 'plan.activated' || type === 'plan.created';
      const late = tenant.messages.filter(isHeldBack);
      if (late.length === 0) return skipped('The endpoint does not receive events about plans.');
      await stage.acceptAll(tenant.messages.filter((message) => !isHeldBack(message)));
      await stage.acceptAll(late, { as: 'after newer ones' });
      return agreeAll(stage, [[tenant, '']]);
    },
  },
  {
    name: 'outage',
    area: 'receiver',
    title: 'After an outage, everything is handled once',
    docs: '/docs/webhooks#when-it-fails',
    async run(stage) {
      const tenant = await stage.tenant('paid_off');
      const { messages } = tenant;
      const lost = messages.slice(0, Math.ceil(messages.length / 2));
      for (const { type } of lost)
        stage.note(`${type}, not sent`, 'Its first attempt is lost on our side.');
      await stage.acceptAll(messages.slice(lost.length), { as: 'after the outage' });
      await stage.acceptAll(lost, { as: 'a retry, without its wait' });
      await stage.acceptAll(messages, { as: 'replayed' });
      return agreeAll(stage, [[tenant, ' after an outage and a replay']]);
    },
  },
];

/** Delivers a message again, and requires that it is accepted like the first time. */
async function repeat(
  stage: Stage,
  tenant: PlayedTenant,
  { message, as }: { readonly message: Message; readonly as: string },
): Promise<void> {
  const answer = await stage.deliver(message, { as });
  if (answer.errorClass === null) return;
  // We refuse the report of a second debit, on which the receiver may have failed.
  if (message.type === 'settlement.created') {
    const finding = judgeDebit(await stage.debitOf(tenant), { how: `, ${as}` });
    if (finding.status === 'fail') stage.end(finding);
  }
  stage.end(
    fail({
      summary: `${describeOutcome(answer)} to ${message.type}, ${as}.`,
      cause:
        'Your receiver treats a webhook-id that it knows as an error, such as a violated unique index.',
      fix: 'Answer 2xx to repeats, without handling them again: any other answer is tried again for hours.',
      docs: onceDocs,
    }),
  );
}

/** Checks that the partner's view of each tenant agrees with ours, and that each settlement was debited once. */
async function agreeAll(
  stage: Stage,
  tenants: readonly (readonly [PlayedTenant, how: string])[],
): Promise<Finding> {
  for (const [tenant, how] of tenants) {
    const view = await stage.viewOnce(tenant.externalId, agrees(tenant.ours));
    const difference = view && differenceOf(view, tenant.ours);
    if (difference) return fail(difference);
    if (!tenant.ours.settlement || !(await stage.debits())) continue;
    const finding = judgeDebit(await stage.debitOf(tenant), { how });
    if (finding.status === 'fail') return finding;
  }
  return pass(
    stage.hasQuery
      ? 'It accepted all of them, and your view agrees with ours.'
      : 'It accepted all of them. Only a tenant query can show what it did with them.',
  );
}
