import { createHmac, randomBytes } from 'node:crypto';
import { usageFailure } from '../failure.ts';

/** Returns the headers of a delivery, signed like those of a real one (Standard Webhooks). */
export function signedHeaders(
  secret: string,
  { id, text, at }: { id: string; text: string; at: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64');
  const signature = `v1,${digest}`;
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
    'svix-id': id,
    'svix-timestamp': timestamp,
    'svix-signature': signature,
  };
}

export function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

export function checkedSecret(secret: string): string {
  if (/^whsec_[A-Za-z0-9+/]{16,}={0,2}$/.test(secret)) return secret;
  throw usageFailure(
    'SVC_WEBHOOK_SECRET is not a signing secret.',
    'It begins with whsec_; unset it to sign with the secret of your profile.',
  );
}
