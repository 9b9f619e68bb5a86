import type { RelayedMessage } from '../destination.ts';

/** Replaces the tenant in the subject and the key of an event that is about no tenant. */
const noTenant = '_';

/**
 * `<prefix>.<pms>.<tenant>.<event type>`, such as `svc.maple.t-100.plan.created`. The tenant is a
 * part of the subject because consumers partition by subject, and because JetStream can purge what
 * matches one, which is how an erased tenant leaves the stream.
 */
export function subjectOf(prefix: string, message: RelayedMessage): string {
  return `${prefix}.${keyOf(message)}.${message.type}`;
}

/** `<pms>.<tenant>`: events with the same key are in order, whatever consumers do with other keys. */
export function keyOf({ pms, subject }: RelayedMessage): string {
  return `${pms}.${subject === null ? noTenant : tokenOf(subject)}`;
}

/**
 * An external id as one token of a subject. It may contain any character, so those that mean something
 * to NATS are escaped as in a URL. A tenant named `_` is escaped as well: it is not `noTenant`.
 */
function tokenOf(externalId: string): string {
  if (externalId === noTenant) return '%5F';
  return encodeURIComponent(externalId).replaceAll('.', '%2E').replaceAll('*', '%2A');
}
