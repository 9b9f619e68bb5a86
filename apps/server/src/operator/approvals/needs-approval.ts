import { bigint, row, sql } from '@svc/db';
import type { UnitOfWork } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { Command, Facts } from '../command.ts';
import type { Operator } from '../record-by-operator.ts';

/**
 * The period, in milliseconds, whose amounts count against the limit. It ends now, so midnight does not begin a new
 * limit.
 */
const limitPeriodMs = 24 * 3_600_000;

/** Carries a command's facts out of its transaction, which is rolled back because a second person must approve it. */
export class NeedsApproval extends Error {
  readonly facts: Facts;
  constructor(facts: Facts) {
    super('a second person must approve this command');
    this.facts = facts;
  }
}

interface CommandRun {
  readonly command: Pick<Command, 'name' | 'approval'>;
  readonly facts: Facts;
  readonly by: Operator;
}

/**
 * Returns whether a second person must approve what a command has just done in this transaction. If not, its amount
 * counts against the limit of the next commands, so a large amount cannot be split. Commands of one person wait for
 * each other here.
 */
export async function needsApproval(
  { tx, now, service }: Pick<UnitOfWork, 'tx' | 'now' | 'service'>,
  { command, facts, by }: CommandRun,
): Promise<boolean> {
  const limits = service.approvals;
  if (limits === null || command.approval === undefined) return false;
  if (command.approval.when === 'always') return true;
  const amount = Math.abs(Number(facts.amount_in_cents ?? 0));
  const limit = limits.by_role[by.role ?? ''] ?? limits.everyone_in_cents;
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`approvals ${by.user}`}, 0))`);
  const { total } = await tx.one(
    totalRow,
    sql`
    /* many rows: what one person has moved in a day */
    select coalesce(sum(amount_in_cents), 0)::int8 as total from unapproved_amount
    where operator = ${by.user} and moved_at > ${new Date(now.getTime() - limitPeriodMs)}`,
  );
  if (total + amount > limit) return true;
  await tx.run(sql`
    insert into unapproved_amount (id, operator, command, amount_in_cents, moved_at)
    values (${newId('amt', now)}, ${by.user}, ${command.name}, ${amount}, ${now})`);
  return false;
}

const totalRow = row('amounts without approval', { total: bigint });
