import { bigint, type Queryable, row, sql } from '@svc/db';

/** How often a settlement may be debited, the first time included. */
export const mostDebits = 20;

/** What the transfers of one debit name as their cause: the settlement, and which time it is. */
export function debitName(settlementId: string, time: number): string {
  return `${settlementId}${debitEndings[time - 1]}`;
}

export const debitEndings = Array.from({ length: mostDebits }, (_, index) =>
  index === 0 ? '' : `#${index + 1}`,
);

const sentRow = row('debits sent', { sent: bigint });

/** How many debits were on their way, the one that is included. */
export async function debitsSent(q: Queryable, settlementId: string): Promise<number> {
  const names = debitEndings.map((ending) => `${settlementId}${ending}`);
  const { sent } = await q.one(
    sentRow,
    sql`
    select count(*) as sent from ledger_transfer
    where kind = 'settlement_sent' and source_id = any(${names}::text[])`,
  );
  return sent;
}
