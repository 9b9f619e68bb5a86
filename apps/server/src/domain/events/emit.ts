import { type EventData, type EventType, eventCatalog } from '@svc/contract';
import type { OutgoingMessage, Service, UnitOfWork } from '../../context.ts';
import { isQuietFork } from '../../fork-names.ts';
import { newId } from '../../ids.ts';
import type { TenantTime } from '../../tenant-time.ts';
import { type MailFacts, mailsOf } from './queue-mails.ts';

/** The tenant an event is about, and when it happened. */
export interface Subject {
  readonly partnerId: string;
  readonly pms: string;
  readonly externalId: string;
  readonly simulated: boolean;
  readonly at: TenantTime;
}

type Data<T extends EventType> = Omit<EventData<T>, 'object_version' | 'occurred_at'>;

export type NewEvent = {
  [T in EventType]: {
    readonly type: T;
    readonly version: number;
    readonly data: Data<T>;
    /** Facts for the mail about it, which the message does not carry. */
    readonly mail?: MailFacts;
  };
}[EventType];

/**
 * Puts events, and the mails about them, into the command's outbox. Writes nothing: the whole outbox is
 * written just before the commit, and dropped if the command fails. A copy of a sandbox tenant has the tenant's
 * e-mail address, so no mails are sent about it.
 */
export function emit(
  { now, service, outbox }: Pick<UnitOfWork, 'now' | 'service' | 'outbox'>,
  subject: Subject,
  events: readonly NewEvent[],
): void {
  const isQuiet = service.environment === 'sandbox' && isQuietFork(subject.externalId);
  if (!isQuiet) outbox.mails.push(...mailsOf(now, subject, events));
  outbox.messages.push(...events.map((event) => messageOf(service, now, subject, event)));
}

/** Like `emit`, for events that are about no tenant. They happen in wall time. */
export function emitForPartner(
  { now, service, outbox }: Pick<UnitOfWork, 'now' | 'service' | 'outbox'>,
  { partnerId, pms }: Pick<Subject, 'partnerId' | 'pms'>,
  events: readonly NewEvent[],
): void {
  const subject = { partnerId, pms, externalId: null, simulated: false, at: now };
  outbox.messages.push(...events.map((event) => messageOf(service, now, subject, event)));
}

function messageOf(
  service: Service,
  now: Date,
  subject: Omit<Subject, 'externalId' | 'at'> & { externalId: string | null; at: Date },
  event: NewEvent,
): OutgoingMessage {
  const data = eventCatalog[event.type].data.parse({
    object_version: event.version,
    occurred_at: subject.at.toISOString(),
    ...event.data,
  });
  return buildMessage(service, now, {
    owner: subject.partnerId,
    pms: subject.pms,
    externalId: subject.externalId,
    type: event.type,
    marks: subject.simulated ? { simulated: true } : {},
    dataText: JSON.stringify(data),
  });
}

interface Envelope {
  readonly owner: string;
  readonly pms: string;
  readonly externalId: string | null;
  readonly type: string;
  readonly marks: { simulated?: true; test?: true; custom?: true };
  /** A JSON object. */
  readonly dataText: string;
}

/** Builds a message. Its body is signed and sent as it is, byte for byte, on every attempt. */
export function buildMessage(service: Service, now: Date, envelope: Envelope): OutgoingMessage {
  const id = newId('evt', now);
  const fields = JSON.stringify({
    id,
    type: envelope.type,
    timestamp: now.toISOString(),
    api_version: 'v1',
    environment: service.environment,
    pms: envelope.pms,
    external_id: envelope.externalId,
    ...envelope.marks,
  });
  const body = `${fields.slice(0, -1)},"data":${envelope.dataText}}`;
  return {
    id,
    owner: envelope.owner,
    subject: envelope.externalId,
    type: envelope.type,
    body,
    custom: envelope.marks.custom ?? false,
  };
}
