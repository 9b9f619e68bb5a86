import { bigint, type Queryable, row, sql } from '@svc/db';

/** The most debits that a settlement may have, including the first. */
export const mostDebits = 20;

/** The `source_id` of the transfers of one debit: the settlement and the number of the debit. */
export function debitName(settlementId: string, number: number): string {
  return `${settlementId}${debitEndings[number - 1]}`;
}

export const debitEndings = Array.from({ length: mostDebits }, (_, index) =>
  index === 0 ? '' : `#${index + 1}`,
);

interface Debited {
  readonly partnerId: string;
  readonly settlementId: string;
}

const sentRow = row('debits sent', { sent: bigint });

/** Counts the debits of a settlement that have been sent, including one whose outcome is not known yet. */
export async function debitsSent(
  q: Queryable,
  { partnerId, settlementId }: Debited,
): Promise<number> {
  const names = debitEndings.map((ending) => `${settlementId}${ending}`);
  const { sent } = await q.one(
    sentRow,
    sql`
    select count(*) as sent from ledger_transfer_source
    where partner_id = ${partnerId} and source_id = any(${names}::text[])
      and kind = 'settlement_sent'`,
  );
  return sent;
}
