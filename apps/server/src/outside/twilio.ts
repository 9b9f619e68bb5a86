import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '@svc/runtime';
import { z } from 'zod';
import { escapeHtml } from '../domain/escape-html.ts';
import type {
  NumberEnd,
  OutgoingText,
  TextOutcome,
  TextSender,
  TextWebhook,
} from '../domain/texts/text-sender.ts';
import { reasonOf, textOf } from './read-response.ts';
import type { TwilioSettings } from './text-settings.ts';

const deadlineMs = 10_000;
// Twilio's own limit for ValidityPeriod.
const mostValidSeconds = 36_000;

/**
 * Sends text messages with Twilio's Messages API, which has no idempotency key: after a timeout it is not
 * known whether Twilio took the text. It reports the outcome of a text that it took to `statusUrl`.
 */
export function createTwilio(clock: Clock, settings: TwilioSettings): TextSender {
  const { accountSid, authToken, url } = settings;
  const endpoint = new URL(`/2010-04-01/Accounts/${accountSid}/Messages.json`, url);
  const authorization = `Basic ${Buffer.from(credentialsOf(settings)).toString('base64')}`;
  return {
    takesSimulated: false,
    async send(text) {
      const deadline = new AbortController();
      const cancel = clock.after(deadlineMs, () => deadline.abort());
      try {
        const response = await fetch(endpoint, {
          method: 'POST',
          redirect: 'manual',
          signal: deadline.signal,
          headers: { authorization, accept: 'application/json' },
          body: formOf(text, settings),
        });
        return outcomeOf(response.status, await textOf(response));
      } catch (error) {
        if (deadline.signal.aborted) return { kind: 'unknown', reason: 'did not answer in time' };
        const reason = reasonOf(error);
        return { kind: isUnsent(reason) ? 'failed' : 'unknown', reason };
      } finally {
        cancel();
      }
    },
    readWebhook({ url: ownUrl, headers, body }) {
      const fields = new URLSearchParams(body);
      const signature = String(headers['x-twilio-signature'] ?? '');
      return isSigned(authToken, { url: ownUrl, fields, signature }) ? webhookOf(fields) : null;
    },
    answer(text) {
      const message = text === null ? '' : `<Message>${escapeHtml(text)}</Message>`;
      return { type: 'text/xml; charset=utf-8', body: `<Response>${message}</Response>` };
    },
  };
}

function credentialsOf({ accountSid, authToken, apiKeySid, apiKeySecret }: TwilioSettings): string {
  return apiKeySid === undefined
    ? `${accountSid}:${authToken}`
    : `${apiKeySid}:${apiKeySecret ?? ''}`;
}

function formOf(
  { to, body, validForSeconds, statusUrl }: OutgoingText,
  { from }: TwilioSettings,
): URLSearchParams {
  return new URLSearchParams({
    To: to,
    Body: body,
    ...(from.startsWith('MG') ? { MessagingServiceSid: from } : { From: from }),
    ValidityPeriod: String(Math.max(1, Math.min(validForSeconds, mostValidSeconds))),
    ...(statusUrl === null ? {} : { StatusCallback: statusUrl }),
  });
}

const acceptedSchema = z.object({ sid: z.string().max(100) });
const errorSchema = z.object({ code: z.int() });

/**
 * Twilio's own error says that it did not take the text. An answer without one may come from a proxy in
 * front of it, which does not know.
 */
function outcomeOf(status: number, body: string): TextOutcome {
  const json = parseJson(body);
  const accepted = acceptedSchema.safeParse(json);
  if (status >= 200 && status < 300 && accepted.success) {
    return { kind: 'accepted', ref: accepted.data.sid };
  }
  const error = errorSchema.safeParse(json);
  const reason = error.success ? `Twilio error ${error.data.code}` : `answered ${status}`;
  const isLater = status === 429 || status === 401 || status === 403 || status === 404;
  if (isLater || (status >= 500 && error.success)) return { kind: 'failed', reason };
  if (status >= 400 && status < 500) {
    return { kind: 'refused', reason, ends: error.success ? endOf(error.data.code) : null };
  }
  return { kind: 'unknown', reason };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Codes of https://www.twilio.com/docs/api/errors that are about the number and are permanent. Null for others. */
function endOf(code: number): NumberEnd | null {
  switch (code) {
    // The recipient has replied STOP.
    case 21610:
      return 'stop';
    // Not a valid number; not reachable from ours; not a mobile; unknown to its carrier; a landline.
    case 21211:
    case 21214:
    case 21217:
    case 21408:
    case 21612:
    case 21614:
    case 30005:
    case 30006:
      return 'undeliverable';
    default:
      return null;
  }
}

/** Returns whether the request failed before anything of it was sent. */
function isUnsent(reason: string): boolean {
  return (
    ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(reason) ||
    reason === 'UND_ERR_CONNECT_TIMEOUT' ||
    /^(ERR_TLS|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_)/.test(reason)
  );
}

interface Signed {
  readonly url: string;
  readonly fields: URLSearchParams;
  readonly signature: string;
}

/** Verifies an HMAC-SHA1 of the URL and the sorted fields (https://www.twilio.com/docs/usage/security). */
function isSigned(authToken: string, { url, fields, signature }: Signed): boolean {
  const sorted = [...fields].sort(([a], [b]) => (a < b ? -1 : Number(a > b)));
  const text = url + sorted.map(([name, value]) => name + value).join('');
  const expectedSignature = createHmac('sha1', authToken).update(text).digest();
  const receivedSignature = Buffer.from(signature, 'base64');
  return (
    receivedSignature.length === expectedSignature.length &&
    timingSafeEqual(receivedSignature, expectedSignature)
  );
}

// By default Twilio answers these itself, and blocks or unblocks the number. It passes them on all the same.
const answeredWords = new Set([
  'stop',
  'stopall',
  'unsubscribe',
  'cancel',
  'end',
  'quit',
  'optout',
  'revoke',
  'start',
  'unstop',
]);

function webhookOf(fields: URLSearchParams): TextWebhook {
  const field = (name: string) => fields.get(name) ?? '';
  if (fields.has('MessageStatus')) {
    const isRefused = ['failed', 'undelivered'].includes(field('MessageStatus'));
    const code = Number(field('ErrorCode'));
    return {
      kind: 'status',
      ref: field('MessageSid'),
      refusal: isRefused ? { reason: `Twilio error ${code}`, ends: endOf(code) } : null,
    };
  }
  const text = field('Body');
  return {
    kind: 'reply',
    id: field('MessageSid'),
    from: field('From'),
    text,
    // The field is there if the messaging service has "Advanced Opt-Out", which answers HELP, too.
    isAnswered: fields.has('OptOutType') || answeredWords.has(text.trim().toLowerCase()),
  };
}
