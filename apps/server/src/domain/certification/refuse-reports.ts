import { boolean, row, sql } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { Refusal } from '../refusal.ts';

/**
 * Makes the API refuse the partner's reports of a settlement, as if it had an outage. Ends with
 * `takeReportsAgain`, or at `until` if the process dies first.
 */
export async function refuseReports(
  { tx, actor }: Ctx<PartnerActor>,
  { runId, settlementId, until }: { runId: string; settlementId: string; until: Date },
): Promise<void> {
  await tx.run(sql`
    update certification set refused_settlement_id = ${settlementId}, refused_until = ${until}
    where partner_id = ${actor.partnerId} and id = ${runId}`);
}

export async function takeReportsAgain(
  { tx, actor }: Ctx<PartnerActor>,
  { runId }: { readonly runId: string },
): Promise<void> {
  await tx.run(sql`
    update certification set refused_settlement_id = null, refused_until = null
    where partner_id = ${actor.partnerId} and id = ${runId}`);
}

const refusedRow = row('refused report', { is_refused: boolean });

/** @throws Refusal `unavailable` while a certification has reports of this settlement refused */
export async function requireReportsTaken(
  { tx, actor, service, now }: Ctx<PartnerActor>,
  settlementId: string,
): Promise<void> {
  if (service.environment !== 'sandbox') return;
  const { is_refused } = await tx.one(
    refusedRow,
    sql`
    select exists (select from certification
      where partner_id = ${actor.partnerId} and state = 'running'
        and refused_settlement_id = ${settlementId} and refused_until > ${now}) as is_refused`,
  );
  if (is_refused) throw new Refusal('unavailable');
}
