import { fromBase64 } from './bytes.ts';

/** The key's bytes, or in a sentence what is wrong with the pasted secret. */
export function readSecret(text: string): { key: Uint8Array } | { problem: string } {
  const secret = text.trim();
  if (secret === '') return { problem: 'Paste the signing secret of the endpoint.' };
  if (secret.includes('•'))
    return {
      problem: 'These are the dots of the masked secret: copy it with the button beside it.',
    };
  if (/\s/.test(secret))
    return {
      problem: 'There is a space or a line break inside of it: it was cut or joined while copying.',
    };
  if (/^["'].*["']$/.test(secret))
    return {
      problem: 'The quotation marks are not part of it. Take them off, in your configuration too.',
    };
  if (/^wh(sk|pk)_/.test(secret))
    return {
      problem:
        'This is a key of the asymmetric kind. Webhooks of this service are signed with a secret that starts with whsec_.',
    };
  if (!secret.startsWith('whsec_'))
    return {
      problem:
        'A signing secret starts with whsec_. An API key or another service’s secret can’t verify these webhooks.',
    };
  const key = fromBase64(secret.slice('whsec_'.length));
  if (key === null)
    return { problem: 'What follows whsec_ is not base64: a character is missing or was changed.' };
  if (key.length < 16 || key.length > 64)
    return {
      problem: `What follows whsec_ decodes to ${key.length} bytes; a secret has 16 to 64. It was cut while copying.`,
    };
  return { key };
}
