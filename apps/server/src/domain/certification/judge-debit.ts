import type { SettlementOutput } from '@svc/contract';
import { unknownTenantAdvice } from './explain-answer.ts';
import { type Finding, fail, pass, skipped } from './finding.ts';
import type { Debit } from './stage.ts';

const docs = '/docs/settlements';

/** Judges whether a settlement was debited once, in full. Skipped if nothing that the partner shows us tells. */
export function judgeDebit(debit: Debit, { how = '' }: { how?: string } = {}): Finding {
  const { view, settlement, debitIds, calls } = debit;
  if (!settlement) throw new Error('The scenario made no settlement.');
  const repeated = debitedTwice(settlement, debit, how);
  if (repeated) return repeated;
  const debited = view?.debited_in_cents;
  const owed = settlement.amount_in_cents;
  if (debited === owed) return pass(`You debited ${debited} cents, once.`);
  if (debited !== undefined && debited !== null) {
    return fail(debited === 0 ? notDebited(settlement) : otherAmount(debited, owed));
  }
  if (calls > 0) return pass(`You reported one debit${debitIds[0] ? `, ${debitIds[0]}` : ''}.`);
  return skipped(
    view
      ? 'Your tenant query does not say what you debited (debited_in_cents), and you reported no debit.'
      : 'Nothing shows whether you debited: you reported no debit, and there is no tenant query.',
  );
}

function debitedTwice(
  { amount_in_cents: owed }: SettlementOutput,
  { view, debitIds }: Debit,
  how: string,
): Finding | null {
  const debited = view?.debited_in_cents ?? 0;
  const isTwice = debited > owed && debited % owed === 0;
  if (!isTwice && debitIds.length < 2) return null;
  return fail({
    summary: isTwice
      ? `You debited ${debited} cents for a settlement of ${owed}: ${debited / owed} times${how}.`
      : `You reported ${debitIds.length} debits of one settlement: ${debitIds.slice(0, 3).join(', ')}${how}.`,
    cause:
      'Your receiver debits each time that settlement.created arrives. It does not know which webhook-id or settlement_id it has handled.',
    fix: 'Store each webhook-id in the transaction of the work, with a unique index, and use settlement_id as the idempotency key with your processor.',
    docs: '/docs/webhooks#a-receiver',
  });
}

function notDebited({ amount_in_cents: owed }: SettlementOutput) {
  return {
    summary: `Your view says that nothing was debited of ${owed} cents, five seconds after settlement.created.`,
    cause:
      'Your receiver skips tenants that it does not know, or debits in a later batch that it did not start.',
    fix: `Count a debit as soon as it is ordered. ${unknownTenantAdvice}`,
    docs,
  };
}

function otherAmount(debited: number, owed: number) {
  const isDollars = Math.abs(debited * 100 - owed) < 100 || Math.abs(debited - owed * 100) < 100;
  return {
    summary: `You debited ${debited} cents for a settlement of ${owed}.`,
    cause: isDollars
      ? 'Your code takes cents for dollars, or dollars for cents.'
      : 'Your code debits another amount than amount_in_cents of the settlement, or rounds it as a floating-point number.',
    fix: 'Debit amount_in_cents as it is, in integer cents.',
    docs: '/docs/money',
  };
}
