import { isDeepStrictEqual } from 'node:util';
import { operatorRoles } from '@svc/contract/operator';
import {
  instant,
  json,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  row,
  sql,
  type Tx,
  text,
} from '@svc/db';
import { sha256 } from '../../domain/access/secrets.ts';
import { type Listed, listNewest, mostListed } from '../../domain/listed.ts';
import { Refusal } from '../../domain/refusal.ts';
import { newId } from '../../ids.ts';
import type { Facts } from '../command.ts';
import type { Operator } from '../record-by-operator.ts';

const openForMs = 72 * 3_600_000;

const approvalRow = row('approval', {
  id: text,
  request: json(),
  facts: json(),
  key: nullable(text),
  requested_by: text,
  requested_role: oneOf(...operatorRoles),
  operator_id: nullable(text),
  reason: text,
  requested_at: instant,
  expires_at: instant,
  state: oneOf('open', 'running', 'done', 'refused', 'bypassed'),
  decided_by: nullable(text),
  decided_at: nullable(instant),
  answer: nullable(text),
});

/** A command that waits for a second person, or has waited for one. */
export type Approval = Omit<RowOf<typeof approvalRow>, 'request' | 'facts'> & {
  /** The command's name and its input. */
  readonly request: { readonly command: string };
  readonly facts: Facts;
};

const columns = sql`id, request, facts, key, requested_by, requested_role, operator_id,
      reason, requested_at, expires_at, state, decided_by, decided_at, answer`;

interface TimedTx {
  readonly tx: Tx;
  readonly now: Date;
}

interface ApprovalRequest {
  readonly request: object;
  /** The idempotency key that the command was given. */
  readonly key: string | undefined;
  readonly facts: Facts;
  readonly by: Operator;
}

/** Stores a request. Repeating it finds the open one, which then stays open for 72 hours more. */
export async function storeApproval(
  { tx, now }: TimedTx,
  { request, key = '', facts, by }: ApprovalRequest,
): Promise<Approval> {
  const stored = await tx.one(
    approvalRow,
    sql`
    insert into approval (id, request, request_sha256, key, facts, requested_by,
      requested_role, operator_id, reason, requested_at, expires_at, state)
    values (${newId('apr', now)}, ${JSON.stringify(request)}::json,
      ${sha256(JSON.stringify([request, key, facts]))}, nullif(${key}::text, ''),
      ${JSON.stringify(facts)}::jsonb, ${by.user}, ${by.role ?? 'admin'}, ${by.operatorId ?? null}::text,
      ${by.reason ?? ''}, ${now}, ${new Date(now.getTime() + openForMs)}, 'open')
    on conflict (requested_by, request_sha256) where state = 'open'
      do update set expires_at = excluded.expires_at
    returning ${columns}`,
  );
  return stored as Approval;
}

/** Lists requests, newest first. `isOpen`: only those that can still be approved. */
export async function listApprovals(
  { tx, now }: { readonly tx: Queryable; readonly now: Date },
  { isOpen }: { readonly isOpen: boolean },
): Promise<Listed<Approval>> {
  const rows = await tx.many(
    approvalRow,
    sql`
    select ${columns} from approval
    where not ${isOpen}::boolean or (state in ('open', 'running') and expires_at > ${now})
    order by requested_at desc, id desc limit ${mostListed + 1}`,
  );
  return listNewest(rows as Approval[]);
}

/**
 * Locks a request that this person may approve, so that the second of two concurrent approvals finds it decided.
 * @throws Refusal when it is decided or has expired, or is the person's own
 */
export async function lockApproval(
  { tx, now }: TimedTx,
  { id, by }: { readonly id: string; readonly by: Operator },
): Promise<Approval> {
  const found = await tx.maybe(
    approvalRow,
    sql`select ${columns} from approval where id = ${id} for update`,
  );
  if (!found) {
    throw new Refusal('not_found', {
      message: `There is no request ${id}. "svc-admin approval list" shows those that are open.`,
    });
  }
  const { state, decided_by, decided_at, expires_at, requested_by } = found;
  if (decided_by !== null && state !== 'running') {
    const how = { done: 'approved', refused: 'refused', bypassed: 'bypassed', open: '' }[state];
    throw new Refusal('version_conflict', {
      message: `${decided_by} has ${how} ${id} at ${decided_at?.toISOString()}.`,
    });
  }
  if (expires_at <= now) {
    throw new Refusal('version_conflict', {
      message: `${id} has expired at ${expires_at.toISOString()}. Run the command again to request it.`,
    });
  }
  if (requested_by === by.user) {
    throw new Refusal('own_request', {
      message: `You have requested ${id} yourself. Another person must decide.`,
    });
  }
  return found as Approval;
}

/** @throws Refusal when the command would now do something other than what was requested */
export function requireFacts(approval: Approval, facts: Facts): void {
  if (isDeepStrictEqual({ ...facts }, { ...approval.facts })) return;
  throw new Refusal('version_conflict', {
    message: `What ${approval.id} would do has changed since it was requested: ${factsText(approval.facts)} then, ${factsText(facts)} now. Run the command again to request it.`,
  });
}

/** `amount_in_cents 7600, account fee_income` */
export function factsText(facts: Facts): string {
  const named = Object.entries(facts).map(([name, value]) => `${name} ${value}`);
  return named.length === 0 ? 'the same' : named.join(', ');
}

/** Marks a running request as done. This is the last step of a command that opens its own transactions. */
export async function finishApproval({ tx }: Pick<TimedTx, 'tx'>, id: string): Promise<void> {
  await tx.run(sql`update approval set state = 'done' where id = ${id} and state = 'running'`);
}

interface Decision {
  readonly id: string;
  readonly by: Operator;
  readonly state: 'running' | 'done' | 'refused' | 'bypassed';
  readonly answer?: string;
}

export async function decideApproval(
  { tx, now }: TimedTx,
  { id, by, state, answer = '' }: Decision,
): Promise<void> {
  await tx.run(sql`
    update approval set state = ${state}, decided_by = ${by.user}, decided_at = ${now},
      answer = nullif(${answer}::text, '')
    where id = ${id}`);
}
