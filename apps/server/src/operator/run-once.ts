import { createHash } from 'node:crypto';
import { bytes, instant, json, row, sql, text } from '@svc/db';
import type { UnitOfWork } from '../context.ts';
import { Refusal } from '../domain/refusal.ts';

/** Options for running a command that moves money. */
export interface Manner {
  /** Say what it would do, and change nothing. */
  readonly dryRun?: boolean;
  readonly idempotencyKey?: string;
  /**
   * Run it without the second person who would have to approve it. This is recorded in the audit log, and raises an
   * alert.
   */
  readonly breakGlass?: boolean;
}

/** Carries the result of a dry run out of its transaction, which is rolled back. */
export class DryRun extends Error {
  readonly done: RunOnceResult;
  constructor(done: RunOnceResult) {
    super('a dry run is rolled back');
    this.done = done;
  }
}

export interface RunOnceResult {
  readonly result: object;
  /** The time when an earlier command with this key did it, as an ISO instant. If it is set, nothing was done now. */
  readonly doneAt?: string;
  /** Set for a dry run: true if the command would wait for a second person. */
  readonly needsApproval?: boolean;
}

const storedRow = row('command of an operator', {
  sha256: bytes,
  operator: text,
  result: json(),
  at: instant,
});

/**
 * Runs the command once for its key. The key is claimed in the command's transaction, so the second of two
 * concurrent commands waits for the first and gets its result.
 * @throws Refusal if the key belongs to another command
 */
export async function runOnce(
  { tx, now }: Pick<UnitOfWork, 'tx' | 'now'>,
  { key, request, user }: { readonly key: string; readonly request: object; readonly user: string },
  run: () => Promise<object>,
): Promise<RunOnceResult> {
  const sha256 = createHash('sha256').update(JSON.stringify(request)).digest();
  const claimed = await tx.run(sql`
    insert into operator_request (key, request_sha256, operator, created_at)
    values (${key}, ${sha256}, ${user}, ${now}) on conflict (key) do nothing`);
  if (claimed === 1) {
    const result = await run();
    await tx.run(sql`
      update operator_request set result = ${JSON.stringify(result)}::jsonb where key = ${key}`);
    return { result };
  }
  const stored = await tx.one(
    storedRow,
    sql`
    select request_sha256 as sha256, operator, result, created_at as at from operator_request
    where key = ${key}`,
  );
  const doneAt = stored.at.toISOString();
  if (stored.sha256.equals(sha256)) return { result: stored.result as object, doneAt };
  throw new Refusal('idempotency_key_reused', {
    message: `The idempotency key ${key} belongs to another command, of ${stored.operator} at ${doneAt}. Use another key for this one.`,
  });
}
