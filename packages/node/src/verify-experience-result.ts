import type { ExperienceResult } from '@svc/contract';
import { requireApiKey, requireText } from './sign-widget.ts';

/**
 * Verifies the `svc_result` with which a tenant returned from `experience_url`, without calling the service: its
 * signature with the API key that requested the link, and that it is at most 10 minutes old. A URL can be
 * replayed, so use each `id` once, or call `useExperienceResult`, which does that.
 *
 * @throws Error with a sentence that says what is wrong.
 */
export async function verifyExperienceResult(
  result: string,
  { apiKey }: { apiKey: string },
): Promise<ExperienceResult> {
  requireText('result', result);
  requireApiKey(apiKey);
  const [facts = '', signature = ''] = result.split('.');
  const utf8 = new TextEncoder();
  const key = await crypto.subtle.importKey(
    'raw',
    utf8.encode(apiKey),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  );
  const digest = Uint8Array.from(signature.match(/[0-9a-f]{2}/g) ?? [], (hex) => parseInt(hex, 16));
  if (!(await crypto.subtle.verify('HMAC', key, digest, utf8.encode(facts)))) {
    throw new Error('The result was altered, or signed with another API key.');
  }
  const text = atob(facts.replaceAll('-', '+').replaceAll('_', '/'));
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  const outcome = JSON.parse(new TextDecoder().decode(bytes)) as ExperienceResult;
  if (Date.parse(outcome.expires_at) <= Date.now()) {
    throw new Error(
      `The result expired at ${outcome.expires_at}: verify it when the tenant comes back.`,
    );
  }
  return outcome;
}
