import { type PayoutMethod, payoutMethods } from '@svc/contract';
import { integer, oneOf, type Queryable, row, sql, text } from '@svc/db';

/** How a portal gets what we owe it. */
export interface PayoutSetting {
  readonly method: PayoutMethod;
  /** The hour in New York, on banking days. */
  readonly cutOffHour: number;
  /** The operator's name for the portal's account. */
  readonly destination: string;
}

const settingRow = row('payout setting', {
  method: oneOf(...payoutMethods),
  cutOffHour: integer,
  destination: text,
});

/** Finds a portal's payout setting. Undefined for a portal that debits each settlement separately. */
export function findPayoutSetting(
  q: Queryable,
  partnerId: string,
): Promise<PayoutSetting | undefined> {
  return q.maybe(
    settingRow,
    sql`
    select method, cut_off_hour, destination from payout_setting
    where partner_id = ${partnerId}`,
  );
}
