import type { PayoutMethod, PayoutOutput, PayoutStatement } from '@svc/contract';
import type { Ctx } from '../context.ts';
import {
  type AuditEntry,
  adjustPayouts,
  createPayoutNow,
  listAllPayouts,
  listPayoutSettings,
  movePayoutByOperator,
  type NewAdjustment,
  payoutCsv,
  readAnyStatement,
  schedulePayouts,
} from '../domain/index.ts';
import type { Operator } from './record-by-operator.ts';

export const statementOutputs = ['csv', 'json'] as const;

/** The commands about payouts to portals. */
export type PayoutRequest =
  | {
      readonly command: 'payout schedule';
      readonly pms: string;
      readonly method: PayoutMethod | 'each';
      readonly cut_off_hour: number;
      readonly destination: string;
    }
  | { readonly command: 'payout settings'; readonly pms?: string }
  | { readonly command: 'payout list'; readonly pms?: string }
  | {
      readonly command: 'payout statement';
      readonly payout_id: string;
      readonly format: (typeof statementOutputs)[number];
    }
  | { readonly command: 'payout create'; readonly pms: string }
  | ({ readonly command: 'payout adjust' } & Pick<
      NewAdjustment,
      'pms' | 'amount_in_cents' | 'account'
    >)
  | { readonly command: 'payout send'; readonly payout_id: string }
  | {
      readonly command: 'payout confirm';
      readonly payout_id: string;
      readonly reference?: string;
    }
  | { readonly command: 'payout fail' | 'payout return'; readonly payout_id: string };

const reports: readonly string[] = ['payout settings', 'payout list', 'payout statement'];

export function isPayout(request: { readonly command: string }): request is PayoutRequest {
  return request.command.startsWith('payout ');
}

export function isPayoutReport(command: string): boolean {
  return reports.includes(command);
}

/** Whether the command needs a reason, for the audit log. */
export function isPayoutControl(command: string): boolean {
  return command.startsWith('payout ') && !isPayoutReport(command);
}

/** Runs a command about payouts in the transaction of its audit entry. */
export async function runPayouts(
  ctx: Ctx,
  request: PayoutRequest,
  { by, record }: { by: Operator; record: (id: string, entry: AuditEntry) => Promise<void> },
): Promise<object> {
  const reason = by.reason ?? '';
  switch (request.command) {
    case 'payout settings':
      return { items: await listPayoutSettings(ctx.tx, request.pms) };
    case 'payout list':
      return listAllPayouts(ctx.tx, request);
    case 'payout statement': {
      const statement: PayoutStatement = await readAnyStatement(ctx.tx, request.payout_id);
      const json = () => `${JSON.stringify(statement, null, 2)}\n`;
      return { text: request.format === 'csv' ? payoutCsv(statement) : json() };
    }
    case 'payout schedule': {
      const { command: _, ...schedule } = request;
      const { partner_id, ...scheduled } = await schedulePayouts(ctx, schedule);
      const { pms: __, next_at, ...details } = scheduled;
      await record(partner_id, { action: 'payout.scheduled', details });
      return { ...scheduled, next_at };
    }
    case 'payout create': {
      const { partner_id, ...created } = await createPayoutNow(ctx, request);
      const { id, amount_in_cents, line_count } = created;
      const details = { amount_in_cents, line_count };
      await record(partner_id, { action: 'payout.created', subject_id: id, details });
      return created;
    }
    case 'payout adjust': {
      const { partner_id, ...adjusted } = await adjustPayouts(ctx, {
        ...request,
        reason,
        user: by.user,
      });
      const { id, pms: _, ...details } = adjusted;
      await record(partner_id, { action: 'payout.adjusted', subject_id: id, details });
      return adjusted;
    }
    case 'payout send':
    case 'payout confirm':
    case 'payout fail':
    case 'payout return': {
      const { partner_id, ...moved } = await movePayoutByOperator(
        ctx,
        request.payout_id,
        outcomeOf(request, reason),
      );
      await record(partner_id, movedEntry(moved));
      return moved;
    }
  }
}

type Move = Extract<PayoutRequest, { readonly payout_id: string }>;

function outcomeOf(request: Exclude<Move, { command: 'payout statement' }>, reason: string) {
  switch (request.command) {
    case 'payout send':
      return { status: 'sent' } as const;
    case 'payout confirm':
      return { status: 'paid', reference: request.reference } as const;
    case 'payout fail':
      return { status: 'failed', reason } as const;
    case 'payout return':
      return { status: 'returned', reason } as const;
  }
}

function movedEntry({ id, status, amount_in_cents, reference }: PayoutOutput): AuditEntry {
  const details = { status, amount_in_cents, ...(reference === null ? {} : { reference }) };
  return { action: 'payout.updated', subject_id: id, details };
}
