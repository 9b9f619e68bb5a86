import { JetStreamApiError } from '@nats-io/jetstream';
import {
  AuthorizationError,
  InvalidArgumentError,
  PermissionViolationError,
  RequestError,
  TimeoutError,
  UserAuthenticationExpiredError,
} from '@nats-io/transport-node';
import type { Handover } from '../destination.ts';
import { CredentialsFileError } from './connect.ts';

/** Translates a failure to connect. Nothing was sent, so the outcome is known. */
export function handoverOfConnect(error: unknown): Handover {
  if (error instanceof CredentialsFileError) return stopped(error.message);
  if (error instanceof AuthorizationError || error instanceof UserAuthenticationExpiredError) {
    return stopped(
      `NATS refused the credentials: ${error.message}. Check the user of NATS_URL or NATS_CREDS.`,
    );
  }
  return retry(`NATS cannot be reached: ${textOf(error)}`);
}

// JetStream's codes: the message is larger than the stream takes; another stream has the subject.
const tooLargeForStream = 10_054;
const otherStream = 10_060;

/** Translates a failure to publish. */
export function handoverOfPublish(error: unknown, subject: string, stream: string): Handover {
  if (causeOf(error) instanceof InvalidArgumentError) {
    return refused(
      'The event is larger than max_payload of the NATS server. Raise it, then retry.',
    );
  }
  if (causeOf(error) instanceof PermissionViolationError) {
    return stopped(
      `NATS does not permit it: ${textOf(causeOf(error))}. The user must publish to the subjects of SVC_EVENT_SINK_PREFIX and subscribe to _INBOX.>.`,
    );
  }
  if (isWithoutStream(error)) {
    return retry(
      `No stream takes the subject ${subject}, or JetStream is off. Create the stream ${stream} for it.`,
    );
  }
  if (error instanceof JetStreamApiError) {
    if (error.code === tooLargeForStream) {
      return refused(
        `The event is larger than max_msg_size of the stream ${stream}. Raise it, then retry.`,
      );
    }
    if (error.code === otherStream) {
      return retry(
        `The subject ${subject} belongs to another stream than ${stream}. Set SVC_EVENT_SINK_STREAM or SVC_EVENT_SINK_PREFIX.`,
      );
    }
    return retry(`The stream ${stream} answered: ${error.message} (${error.code})`);
  }
  // No answer, or the connection ended before one: the stream may have the event.
  const reason =
    error instanceof TimeoutError ? 'The stream did not answer in time.' : `NATS: ${textOf(error)}`;
  return { kind: 'retry', reason, outcomeUnknown: true };
}

/** Returns whether no server listens to the subject: no stream has it, or JetStream is off. */
export function isWithoutStream(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof RequestError && cause.isNoResponders();
}

function causeOf(error: unknown): unknown {
  return error instanceof RequestError && error.cause !== undefined ? error.cause : error;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function refused(reason: string): Handover {
  return { kind: 'refused', reason };
}

function retry(reason: string): Handover {
  return { kind: 'retry', reason, outcomeUnknown: false };
}

function stopped(reason: string): Handover {
  return { kind: 'stopped', reason };
}
