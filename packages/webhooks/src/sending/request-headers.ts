import { signatureHeaders } from '../signature.ts';
import type { Target } from '../work/targets.ts';

export interface BuiltHeaders {
  /** Name, value, name, value … as sent. */
  readonly sent: string[];
  /** As recorded: credentials and custom values are redacted, `svix-` copies left out. */
  readonly shown: Record<string, string>;
}

export interface Signable {
  readonly messageId: string;
  readonly body: Buffer;
  readonly at: Date;
}

/** All headers of one attempt, signed with every secret that is live at this moment. */
export function requestHeaders(target: Target, signable: Signable, svix: boolean): BuiltHeaders {
  const { messageId, body, at } = signable;
  const keys = target.keys
    .filter(({ expiresAt }) => expiresAt === null || expiresAt > at)
    .map(({ key }) => key);
  const timestamp = Math.floor(at.getTime() / 1000);
  const signed = signatureHeaders({ messageId, timestamp, body }, keys, svix);
  return {
    sent: [...target.headers, ...signed],
    shown: {
      ...target.shownHeaders,
      'webhook-id': messageId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signed[5] ?? '',
    },
  };
}
