import {
  exampleIds,
  field,
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
import type { AuditEntry } from '../../domain/audit/record.ts';
import { requireReportsTaken } from '../../domain/certification/refuse-reports.ts';
import { listRefunds } from '../../domain/refunds/list-refunds.ts';
import { refundSettlement } from '../../domain/refunds/refund.ts';
import { lockSettlement } from '../../domain/settlements/lock.ts';
import { listSettlements, readSettlement } from '../../domain/settlements/read.ts';
import { reportSettlements, reportSettlementsAsCsv } from '../../domain/settlements/report.ts';
import { returnSettlement } from '../../domain/settlements/return.ts';
import { updateSettlement } from '../../domain/settlements/update.ts';
import { byIdOf, type Route, type RouteCtx, route } from '../route.ts';

const settlementAccess = {
  who: 'key',
  keyScope: 'settlements',
  tag: 'Plans and settlements',
} as const;
const oneSettlement = {
  ...settlementAccess,
  params: byIdOf('Id of the settlement.', exampleIds.settlement),
} as const;
/** The console shows and confirms settlements in sessions with the scope `admin`. */
const keyOrAdminPortal = {
  who: 'key_or_portal',
  scope: 'admin',
  views: ['settlements'],
} as const;

export const settlementRoutes: readonly Route[] = [
  route({
    ...settlementAccess,
    ...keyOrAdminPortal,
    method: 'GET',
    path: '/settlements',
    kind: 'query',
    summary: 'List settlements, newest first',
    docs: {
      id: 'listSettlements',
      description:
        'Returns our payments to you, newest first. Use the filters to find those that you have to debit or that are overdue.',
      node: 'svc.settlements.list({query})',
      query: { status: 'unsettled', limit: 20 },
    },
    query: settlementsQuery,
    output: listOf(settlementOutput),
    verb: (ctx, { query }) => listSettlements(ctx, query),
  }),
  route({
    ...settlementAccess,
    ...keyOrAdminPortal,
    method: 'GET',
    path: '/settlements/report',
    kind: 'query',
    summary: 'Read one day’s settlements',
    docs: {
      id: 'getSettlementReport',
      description:
        'Returns the settlements that were created on one day in UTC, with totals for each status, the deposits of that day, and everything that does not match your processor’s ids.',
      node: 'svc.settlements.report("2026-02-01")',
    },
    query: settlementReportQuery,
    output: settlementReport,
    verb: (ctx, { query }) => reportSettlements(ctx, query),
  }),
  route({
    ...settlementAccess,
    ...keyOrAdminPortal,
    method: 'GET',
    path: '/settlements/report.csv',
    kind: 'query',
    summary: 'Download one day’s settlements as CSV',
    docs: {
      id: 'downloadSettlementReport',
      description:
        'Returns the rows of `getSettlementReport` as a file (RFC 4180) with a header line. Errors are JSON as everywhere else.',
    },
    csv: ({ date }) => `settlements-${date}.csv`,
    query: settlementReportQuery,
    output: field(
      z.string(),
      'A file (RFC 4180) with a header line.',
      'id,external_id,status,amount_in_cents\r\n',
    ),
    verb: (ctx, { query }) => reportSettlementsAsCsv(ctx, query),
  }),
  route({
    ...oneSettlement,
    ...keyOrAdminPortal,
    method: 'PATCH',
    path: '/settlements/{id}',
    recorded: true,
    kind: 'command',
    summary: 'Report the outcome of a settlement’s debit',
    docs: {
      id: 'updateSettlement',
      description:
        'Report `unverified` when you have sent the debit of our account, then `verified` when the money has arrived or `failed` when it has not. Repeating the current status changes nothing. A settlement cannot go back to `unsettled`.',
      errors: ['settlement_not_found', 'settlement_transition_invalid'],
      node: 'svc.settlements.update({id}, {body})',
      body: { status: 'unverified', processor_transaction_id: 'debit_20260202_0001' },
    },
    body: settlementInput,
    output: settlementOutput,
    audit: {
      prior: lockOne,
      entry: ({ result: after, prior: before }) =>
        after.version === before.version ? null : describeChange('updated', before, after),
    },
    async verb(ctx, { params, body }) {
      await requireReportsTaken(ctx, params.id);
      return updateSettlement(ctx, { ...params, input: body });
    },
  }),
  route({
    ...oneSettlement,
    ...keyOrAdminPortal,
    method: 'GET',
    path: '/settlements/{id}',
    kind: 'query',
    summary: 'Read a settlement',
    docs: {
      id: 'getSettlement',
      description: 'Returns the settlement with the charges that it pays.',
      errors: ['settlement_not_found'],
      node: 'svc.settlements.get({id})',
    },
    output: settlementOutput,
    verb: (ctx, { params }) => readSettlement(ctx, params),
  }),
  route({
    ...oneSettlement,
    method: 'POST',
    path: '/settlements/{id}/return',
    recorded: true,
    kind: 'command',
    summary: 'Report that a debit was returned',
    docs: {
      id: 'reportSettlementReturn',
      description:
        'Moves a `verified` settlement to `returned`: we owe you the amount again. The tenant’s plan does not change.',
      errors: ['settlement_not_found', 'settlement_transition_invalid'],
      node: 'svc.settlements.reportReturn({id}, {body})',
    },
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
    ...oneSettlement,
    method: 'POST',
    path: '/settlements/{id}/refunds',
    recorded: true,
    kind: 'command',
    summary: 'Refund a part of a settlement',
    docs: {
      id: 'createRefund',
      description:
        'Use it when the landlord credits the tenant after the settlement has arrived. The refund reduces what the tenant still owes, from the last payment on; what nobody owes anymore is paid back to the tenant.',
      errors: ['settlement_not_found', 'refund_not_possible'],
      node: 'svc.settlements.refund({id}, {body})',
    },
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
    ...oneSettlement,
    ...keyOrAdminPortal,
    method: 'GET',
    path: '/settlements/{id}/refunds',
    kind: 'query',
    summary: 'List the refunds of a settlement',
    docs: {
      id: 'listRefunds',
      description: 'Returns all refunds of the settlement, newest first, in one page.',
      errors: ['settlement_not_found'],
      node: 'svc.settlements.listRefunds({id})',
    },
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
