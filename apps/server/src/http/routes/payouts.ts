import {
  exampleIds,
  field,
  listOf,
  type PayoutOutput,
  payoutInput,
  payoutOutput,
  payoutReturnInput,
  payoutStatement,
  payoutsQuery,
} from '@svc/contract';
import { z } from 'zod';
import type { PartnerActor } from '../../domain/access/actor.ts';
import type { AuditEntry } from '../../domain/audit/record.ts';
import { listPayouts, lockPayout, readPayout } from '../../domain/payouts/read.ts';
import { returnPayout, updatePayout } from '../../domain/payouts/report-payout.ts';
import { readPayoutStatement, readPayoutStatementAsCsv } from '../../domain/payouts/statement.ts';
import { byIdOf, type Route, type RouteCtx, route } from '../route.ts';

const payoutAccess = {
  who: 'key',
  keyScope: 'settlements',
  tag: 'Plans and settlements',
} as const;
const onePayout = {
  ...payoutAccess,
  params: byIdOf('Id of the payout.', exampleIds.payout),
} as const;
/** The console shows payouts in sessions with the scope `admin`. */
const keyOrAdminPortal = { who: 'key_or_portal', scope: 'admin' } as const;

export const payoutRoutes: readonly Route[] = [
  route({
    ...payoutAccess,
    ...keyOrAdminPortal,
    method: 'GET',
    path: '/payouts',
    kind: 'query',
    summary: 'List payouts, newest first',
    docs: {
      id: 'listPayouts',
      description:
        'Returns your payouts, newest first. The list is empty if you debit each settlement separately.',
      node: 'svc.payouts.list({query})',
      query: { status: 'paid', limit: 20 },
    },
    query: payoutsQuery,
    output: listOf(payoutOutput),
    verb: (ctx, { query }) => listPayouts(ctx, query),
  }),
  route({
    ...onePayout,
    ...keyOrAdminPortal,
    method: 'GET',
    path: '/payouts/{id}',
    kind: 'query',
    summary: 'Read a payout',
    docs: {
      id: 'getPayout',
      description: 'Returns the payout without its lines.',
      errors: ['payout_not_found'],
      node: 'svc.payouts.get({id})',
    },
    output: payoutOutput,
    verb: (ctx, { params }) => readPayout(ctx, params),
  }),
  route({
    ...onePayout,
    ...keyOrAdminPortal,
    method: 'GET',
    path: '/payouts/{id}/statement',
    kind: 'query',
    summary: 'Read the statement of a payout',
    docs: {
      id: 'getPayoutStatement',
      description:
        'Returns the payout with all of its lines, whose amounts sum to its amount: settlements, refunds that are deducted, and adjustments. `carried_from` names the failed or returned payout that had a line before.',
      errors: ['payout_not_found'],
      node: 'svc.payouts.statement({id})',
    },
    output: payoutStatement,
    verb: (ctx, { params }) => readPayoutStatement(ctx, params),
  }),
  route({
    ...onePayout,
    ...keyOrAdminPortal,
    method: 'GET',
    path: '/payouts/{id}/statement.csv',
    kind: 'query',
    summary: 'Download the statement of a payout as CSV',
    docs: {
      id: 'downloadPayoutStatement',
      description:
        'Returns the lines of `getPayoutStatement` as a file (RFC 4180) with a header line. The last line has the kind `total` and the sum.',
      errors: ['payout_not_found'],
    },
    csv: ({ id }) => `${id}.csv`,
    output: field(
      z.string(),
      'A file (RFC 4180) with a header line.',
      'number,kind,id,amount_in_cents\r\n',
    ),
    verb: (ctx, { params }) => readPayoutStatementAsCsv(ctx, params),
  }),
  route({
    ...onePayout,
    method: 'PATCH',
    path: '/payouts/{id}',
    kind: 'command',
    summary: 'Report the outcome of a payout’s debit',
    docs: {
      id: 'updatePayout',
      description:
        'For payouts with the method `debit`: report `sent` when you have sent the debit of our account, then `paid` when the money has arrived or `failed` when it has not. The status of its settlements follows. Repeating the current status changes nothing.',
      errors: ['payout_not_found', 'payout_transition_invalid'],
      node: 'svc.payouts.update({id}, {body})',
      body: { status: 'sent', processor_transaction_id: 'debit_20260202_0001' },
    },
    body: payoutInput,
    output: payoutOutput,
    audit: { prior: lockOne, entry: ({ result, prior }) => describeChange(prior, result) },
    verb: (ctx, { params, body }) => updatePayout(ctx, { ...params, input: body }),
  }),
  route({
    ...onePayout,
    method: 'POST',
    path: '/payouts/{id}/return',
    kind: 'command',
    summary: 'Report that a payout’s debit was returned',
    docs: {
      id: 'reportPayoutReturn',
      description:
        'For payouts with the method `debit`: moves one that is `paid` to `returned`. We owe you its lines again, and the next payout carries them forward.',
      errors: ['payout_not_found', 'payout_transition_invalid'],
      node: 'svc.payouts.reportReturn({id}, {body})',
    },
    body: payoutReturnInput,
    output: payoutOutput,
    audit: { prior: lockOne, entry: ({ result, prior }) => describeChange(prior, result) },
    verb: (ctx, { params, body }) => returnPayout(ctx, { ...params, input: body }),
  }),
];

/** Reads the payout before the change, under the lock that the change takes. */
function lockOne(
  ctx: RouteCtx<PartnerActor>,
  { params }: { params: { id: string } },
): Promise<PayoutOutput> {
  return lockPayout(ctx.tx, { partnerId: ctx.actor.partnerId, id: params.id });
}

function describeChange(before: PayoutOutput, after: PayoutOutput): AuditEntry | null {
  if (after.version === before.version) return null;
  const { id, status, amount_in_cents, reference } = after;
  return {
    action: 'payout.updated',
    subject_id: id,
    details: {
      status,
      status_before: before.status,
      amount_in_cents,
      ...(reference === null ? {} : { reference }),
    },
  };
}
