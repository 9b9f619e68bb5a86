import {
  listOf,
  refundInput,
  refundOutput,
  type SettlementOutput,
  settlementInput,
  settlementOutput,
  settlementReport,
  settlementReportQuery,
  settlementReturnInput,
  settlementsQuery,
} from '@svc/contract';
import { z } from 'zod';
import type { PartnerActor } from '../../domain/access/actor.ts';
import {
  type AuditEntry,
  listRefunds,
  listSettlements,
  lockSettlement,
  readSettlement,
  refundSettlement,
  reportSettlements,
  reportSettlementsAsCsv,
  returnSettlement,
  updateSettlement,
} from '../../domain/index.ts';
import { byId, type Route, type RouteCtx, route } from '../route.ts';

const settlements = { who: 'key', tag: 'Plans and settlements' } as const;
const one = { ...settlements, params: byId } as const;
/** The portal shows settlements to sessions with the scope `admin`; only a backend changes them. */
const shown = { who: 'key_or_portal', scope: 'admin' } as const;

export const settlementRoutes: readonly Route[] = [
  route({
    ...settlements,
    ...shown,
    method: 'GET',
    path: '/settlements',
    kind: 'query',
    summary: 'List settlements, newest first',
    query: settlementsQuery,
    output: listOf(settlementOutput),
    verb: (ctx, { query }) => listSettlements(ctx, query),
  }),
  route({
    ...settlements,
    ...shown,
    method: 'GET',
    path: '/settlements/report',
    kind: 'query',
    summary: 'Read one day’s settlements as rows, with totals and mismatches',
    query: settlementReportQuery,
    output: settlementReport,
    verb: (ctx, { query }) => reportSettlements(ctx, query),
  }),
  route({
    ...settlements,
    ...shown,
    method: 'GET',
    path: '/settlements/report.csv',
    kind: 'query',
    summary: 'Read one day’s settlements as a CSV file',
    csv: ({ date }) => `settlements-${date}.csv`,
    query: settlementReportQuery,
    output: z.string(),
    verb: (ctx, { query }) => reportSettlementsAsCsv(ctx, query),
  }),
  route({
    ...one,
    method: 'PATCH',
    path: '/settlements/{id}',
    kind: 'command',
    summary: 'Report the outcome of a settlement’s debit',
    body: settlementInput,
    output: settlementOutput,
    audit: {
      prior: lockOne,
      entry: ({ result: after, prior: before }) =>
        after.version === before.version ? null : describeChange('updated', before, after),
    },
    verb: (ctx, { params, body }) => updateSettlement(ctx, { ...params, input: body }),
  }),
  route({
    ...one,
    ...shown,
    method: 'GET',
    path: '/settlements/{id}',
    kind: 'query',
    summary: 'Read a settlement',
    output: settlementOutput,
    verb: (ctx, { params }) => readSettlement(ctx, params),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/settlements/{id}/return',
    kind: 'command',
    summary: 'Report that the bank returned a debit after it had arrived',
    body: settlementReturnInput,
    output: settlementOutput,
    audit: {
      prior: lockOne,
      entry: ({ result: after, prior: before }) =>
        after.version === before.version ? null : describeChange('returned', before, after),
    },
    verb: (ctx, { params, body }) => returnSettlement(ctx, { ...params, input: body }),
  }),
  route({
    ...one,
    method: 'POST',
    path: '/settlements/{id}/refunds',
    kind: 'command',
    summary: 'Report that you sent part of a settlement back because the tenant was credited',
    body: refundInput,
    output: refundOutput,
    audit: {
      entry: ({ input: { params }, result: { id, amount_in_cents, charge_id } }) => ({
        action: 'settlement.refunded',
        subject_id: params.id,
        details: {
          refund_id: id,
          amount_in_cents,
          ...(charge_id === null ? {} : { charge_id }),
        },
      }),
    },
    verb: (ctx, { params, body }) => refundSettlement(ctx, { ...params, input: body }),
  }),
  route({
    ...one,
    ...shown,
    method: 'GET',
    path: '/settlements/{id}/refunds',
    kind: 'query',
    summary: 'List the refunds of a settlement',
    output: listOf(refundOutput),
    verb: (ctx, { params }) => listRefunds(ctx, params),
  }),
];

/** Reads the settlement before the change, under the lock that the change takes. */
async function lockOne(
  ctx: RouteCtx<PartnerActor>,
  { params }: { params: { id: string } },
): Promise<SettlementOutput> {
  return (await lockSettlement(ctx, params.id)).settlement;
}

function describeChange(
  what: 'updated' | 'returned',
  before: SettlementOutput,
  after: SettlementOutput,
): AuditEntry {
  const { id, amount_in_cents, processor_transaction_id } = after;
  return {
    action: `settlement.${what}`,
    subject_id: id,
    details: {
      status: after.status,
      status_before: before.status,
      amount_in_cents,
      ...(processor_transaction_id === null ? {} : { processor_transaction_id }),
    },
  };
}
