import { createHash } from 'node:crypto';
import type { FieldError } from '@svc/contract';
import { nullable, type Queryable, row, sql, type Tx, text } from '@svc/db';
import type { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { newId } from '../../ids.ts';
import { Refusal } from '../refusal.ts';
import { requirePartner } from './find-partner.ts';
import { type ProgramTerms, programTerms } from './terms.ts';
import { stateCode } from './us-states.ts';

/** The scope of the terms: a partner, a state, both, or everyone. */
export interface TermsScope {
  readonly pms?: string;
  /** As the operator wrote it. */
  readonly state?: string;
}

export interface AppliedTerms {
  readonly version: string;
  readonly partner_id: string | null;
  readonly pms: string | null;
  readonly state: string | null;
  readonly effective_from: string;
  readonly sha256: string;
}

/**
 * Parses the terms of an operator's file.
 * @throws Refusal that names each field that is wrong
 */
export function parseTerms(file: unknown): ProgramTerms {
  const parsed = programTerms.safeParse(file);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.flatMap(mistakesOf);
  const lines = errors.map(({ param, message }) => `  ${param || 'the file'}: ${message}\n`);
  throw new Refusal('validation_failed', {
    message: `The terms are not valid:\n${lines.join('')}Nothing was changed. "svc-admin terms show default" prints terms to start from.`,
    errors,
  });
}

/** Returns the mistakes of one issue with their places in the file, such as `documents.agreement.rent.es`. */
function mistakesOf(issue: z.core.$ZodIssue): FieldError[] {
  const path = issue.path.reduce<string>(
    (all, key) =>
      typeof key === 'number' ? `${all}[${key}]` : `${all}${all ? '.' : ''}${String(key)}`,
    '',
  );
  const mistake = (param: string, message: string) => ({ param, code: 'invalid_value', message });
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => mistake(path === '' ? key : `${path}.${key}`, 'is no field'));
  }
  const isObject = issue.code === 'invalid_type' && issue.expected === 'object';
  return [mistake(path, isObject ? 'must be an object' : issue.message)];
}

/** Finds the partner's id and the state's code. @throws Refusal if there is no such partner or state */
export async function findTermsScope(
  tx: Queryable,
  { pms, state: given }: TermsScope,
): Promise<{ readonly partnerId: string | null; readonly state: string | null }> {
  const state = given === undefined ? null : stateCode(given);
  if (given !== undefined && state === null) {
    throw new Refusal('validation_failed', {
      message: `There is no state "${given}". Pass its postal code, such as TX.`,
    });
  }
  if (pms === undefined) return { partnerId: null, state };
  return { partnerId: (await requirePartner(tx, pms)).id, state };
}

interface Application extends TermsScope {
  readonly terms: unknown;
  /** The day, in each property's time zone, from which the terms apply. */
  readonly effective: string;
  readonly user: string;
  readonly reason: string;
}

/** Stores a version of the terms. Plans that exist keep theirs. */
export async function applyTerms(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  { terms: file, effective, user, reason, ...scope }: Application,
): Promise<AppliedTerms> {
  const { tx, now } = ctx;
  const terms = parseTerms(file);
  const { partnerId, state } = await findTermsScope(tx, scope);
  // A day that has begun somewhere has quotes and events that were made under other terms.
  const soonest = firstDayToCome(now);
  if (effective < soonest) {
    throw new Refusal('validation_failed', {
      message: `${effective} is in the past or has begun in some time zone. The earliest day is ${soonest}.`,
    });
  }
  const version = newId('trm', now);
  const json = JSON.stringify(terms);
  const sha256 = createHash('sha256').update(json).digest();
  await refuseOlderServices(tx);
  await tx.run(sql`
    insert into program_terms (version, partner_id, state, effective_from, terms, sha256, created_by,
      reason, created_at)
    values (${version}, ${partnerId}, ${state}, ${effective}, ${json}::jsonb, ${sha256}, ${user},
      ${reason}, ${now})`);
  return {
    version,
    partner_id: partnerId,
    pms: scope.pms ?? null,
    state,
    effective_from: effective,
    sha256: sha256.toString('hex'),
  };
}

/** Returns the first day that has not begun anywhere: tomorrow in the earliest time zone, UTC+14. */
export function firstDayToCome(now: Date): string {
  return new Date(now.getTime() + (14 + 24) * 3_600_000).toISOString().slice(0, 10);
}

/**
 * Refuses services before 0.3.0, which know only one set of terms. They do not know this migration, so they compare
 * their version with its `oldest_service`.
 */
async function refuseOlderServices(tx: Tx): Promise<void> {
  await tx.run(sql`
    update svc_migration set oldest_service = '0.3.0'
    where source = 'server' and name like '%program_terms'`);
}

const newestRow = row('newest terms', { newest_version: nullable(text) });

/** Reads the version that was stored last, in any scope; null before the first. */
export function newestTerms(q: Queryable): Promise<{ newest_version: string | null }> {
  return q.one(
    newestRow,
    sql`
    /* all partners */
    select (select version from program_terms order by created_at desc, version desc limit 1) as newest_version`,
  );
}
