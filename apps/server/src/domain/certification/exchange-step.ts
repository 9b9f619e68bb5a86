import { type CertificationStep, stepBodyBytes } from '@svc/contract';
import { describeAttempt, type Probed } from '@svc/webhooks';

interface Exchange {
  readonly title: string;
  readonly method?: 'GET' | 'POST';
  /** The message of a POST. */
  readonly message?: { readonly body: string };
  readonly answer: Probed;
}

/** Describes a request and its response as a step, with secret headers redacted and long bodies cut. */
export function exchangeStep({
  title,
  method = 'POST',
  message,
  answer,
}: Exchange): CertificationStep {
  const { status, errorClass } = answer;
  return {
    title: title.slice(0, 300),
    detail: errorClass === 'status' ? null : describeAttempt(answer, { quote: false }),
    request: {
      method,
      url: answer.url,
      headers: shownHeaders(answer.requestHeaders),
      body: message ? cut(message.body) : null,
    },
    response:
      status === null
        ? null
        : {
            status,
            headers: shownHeaders(answer.responseHeaders),
            body: cut(answer.responseBody ?? ''),
          },
    duration_in_ms: Math.round(answer.times.total),
  };
}

const secretHeaders = ['set-cookie', 'authorization', 'cookie'];
const mostHeaders = 100;

function shownHeaders(headers: Record<string, string>): Record<string, string> {
  const shown = Object.entries(headers).slice(0, mostHeaders);
  return Object.fromEntries(
    shown.map(([name, value]) => [
      name.slice(0, 200),
      secretHeaders.includes(name) ? '[redacted]' : storable(value.slice(0, 8_000)),
    ]),
  );
}

function cut(body: string): string {
  return storable(body.slice(0, stepBodyBytes));
}

/** Replaces what PostgreSQL does not store: lone surrogates, which a cut can leave, and null characters. */
function storable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '\ufffd');
}
