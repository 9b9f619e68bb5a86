import type { TenantEvent, TenantHistory } from '../api/time-machine.ts';

type Posting = TenantHistory['postings'][number];

/** Counts the equal items at the start of both lists. */
export function countEqual<T>(
  ones: readonly T[],
  others: readonly T[],
  isEqual: (one: T, other: T) => boolean,
): number {
  const first = ones.findIndex((one, index) => {
    const other = others[index];
    return other === undefined || !isEqual(one, other);
  });
  return first === -1 ? ones.length : first;
}

/** Returns whether two webhooks say the same about the tenant and the copy, apart from ids. */
export function isEqualEvent(one: TenantEvent, other: TenantEvent): boolean {
  return (
    one.type === other.type &&
    one.occurred_at === other.occurred_at &&
    findDifference(one.data, other.data) === null
  );
}

export function isEqualPosting(one: Posting, other: Posting): boolean {
  return (
    one.kind === other.kind &&
    one.occurred_at === other.occurred_at &&
    findDifference(one.entries, other.entries) === null
  );
}

interface Difference {
  /** The field, such as `installments.0.state`. */
  readonly path: string;
  readonly one: unknown;
  readonly other: unknown;
}

// Each tenant has their own ids and hashes, and the version counts changes that a copy does not need.
const ownId = /^([a-z]{2,4}_[0-9a-z]{10,40}|[0-9a-f]{64})$/;
const ownFields = new Set(['object_version', 'external_id']);

/** Returns the first field in which two values differ, apart from ids. Null if there is none. */
export function findDifference(one: unknown, other: unknown, path = ''): Difference | null {
  if (typeof one === 'string' && typeof other === 'string') {
    const isEqual = one === other || (ownId.test(one) && ownId.test(other));
    return isEqual ? null : { path, one, other };
  }
  if (!isContainer(one) || !isContainer(other)) {
    return one === other ? null : { path, one, other };
  }
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    if (ownFields.has(key)) continue;
    const inside = path === '' ? key : `${path}.${key}`;
    const difference = findDifference(one[key], other[key], inside);
    if (difference !== null) return difference;
  }
  return null;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
