import { type Signed, signatureOf } from '../signature.ts';
import type { Target } from '../work/targets.ts';

/** What the headers of an attempt cannot be rebuilt from its message and time. */
export interface SentHeaders {
  readonly userAgent: string;
  readonly signature: string;
  /** Names of the credentials' and custom headers; their values are never recorded. */
  readonly hidden: readonly string[];
  /** The signature's headers were also sent under their `svix-` names. */
  readonly svix: boolean;
}

/** The same on every attempt to every endpoint. */
export function plainHeaders(userAgent: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': userAgent,
  };
}

/** Signs with every secret that is live at the attempt's time. */
export function signAttempt(target: Target, signed: Signed, at: Date): string {
  const live = target.keys.filter(({ expiresAt }) => expiresAt === null || expiresAt > at);
  const keys = live.map(({ key }) => key);
  return signatureOf(signed, keys);
}

const redacted = '[redacted]';

/** The headers as they were sent, for people: what is secret is redacted. */
export function shownHeaders(
  sent: SentHeaders,
  signed: Pick<Signed, 'messageId' | 'timestamp'>,
): Record<string, string> {
  const values = [signed.messageId, String(signed.timestamp), sent.signature];
  const families = sent.svix ? ['webhook', 'svix'] : ['webhook'];
  const signature = families.flatMap((family) =>
    ['id', 'timestamp', 'signature'].map((name, index) => [`${family}-${name}`, values[index]]),
  );
  return {
    ...plainHeaders(sent.userAgent),
    ...Object.fromEntries(sent.hidden.map((name) => [name, redacted])),
    ...Object.fromEntries(signature),
  };
}
