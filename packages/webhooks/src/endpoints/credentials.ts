import { limits } from '../kernel/limits.ts';
import { EngineRefusal } from '../kernel/refusal.ts';

/** How requests authenticate to the receiver, besides the signature. Stored encrypted, never shown. */
export type Credentials =
  | { readonly type: 'none' }
  | { readonly type: 'basic'; readonly username: string; readonly password: string }
  | { readonly type: 'header'; readonly name: string; readonly value: string };

export function credentialContext(endpointId: string): string {
  return `webhook-auth:${endpointId}`;
}

export function headersContext(endpointId: string): string {
  return `webhook-headers:${endpointId}`;
}

/** Throws unless names and values can be sent, and are not reserved. */
export function checkCredentials(auth: Credentials): void {
  if (auth.type === 'basic') {
    const { username, password } = auth;
    if (/[:\p{Cc}]/u.test(username) || !isCredential(username)) {
      throw refuseAuth(
        'auth.username',
        `A user name is 1 to ${limits.credentialCharacters} characters without ":".`,
      );
    }
    if (/\p{Cc}/u.test(password) || !isCredential(password)) {
      throw refuseAuth(
        'auth.password',
        `A password is 1 to ${limits.credentialCharacters} characters.`,
      );
    }
  }
  if (auth.type === 'header') {
    checkHeader(auth.name, auth.value, 'auth.name');
    if (auth.value === '') throw refuseAuth('auth.value', 'Give the value to send.');
  }
}

/** Returns custom headers with lower-case names. Refuses those that the protocol or signature uses. */
export function checkHeaders(
  headers: Readonly<Record<string, string>>,
  auth: { readonly type: Credentials['type']; readonly name?: string },
): Record<string, string> {
  const entries = Object.entries(headers);
  if (entries.length > limits.headers) {
    throw refuseHeader('headers', `At most ${limits.headers} custom headers are sent.`);
  }
  const authHeader = auth.type === 'basic' ? 'authorization' : auth.name?.toLowerCase();
  const checked: Record<string, string> = {};
  for (const [name, value] of entries) {
    const param = `headers.${name}`;
    checkHeader(name, value, param);
    const lower = name.toLowerCase();
    if (lower === authHeader || Object.hasOwn(checked, lower)) {
      throw refuseHeader(param, `The header ${lower} is set twice: leave one out.`);
    }
    checked[lower] = value;
  }
  return checked;
}

// Hop-by-hop and framing headers, the headers that every attempt has, and the signature's.
const reserved = new Set([
  'host',
  'connection',
  'keep-alive',
  'upgrade',
  'te',
  'trailer',
  'transfer-encoding',
  'expect',
  'content-length',
  'content-type',
  'content-encoding',
  'date',
  'via',
  'accept',
  'accept-encoding',
  'user-agent',
  'http2-settings',
  'proxy-connection',
]);
const reservedPrefix = /^(webhook|svix|proxy)-/;

function checkHeader(name: string, value: string, param: string): void {
  const lower = name.toLowerCase();
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(lower) || name.length > limits.headerNameCharacters) {
    throw refuseHeader(
      param,
      `A header name is 1 to ${limits.headerNameCharacters} letters, digits and hyphens.`,
    );
  }
  // An object with header names as keys would silently drop it.
  if (lower === '__proto__') {
    throw refuseHeader(param, 'A header cannot be named __proto__: choose another name.');
  }
  if (reserved.has(lower) || reservedPrefix.test(lower)) {
    throw new EngineRefusal(
      'reserved_header',
      `The header ${lower} belongs to the delivery itself: choose another name.`,
      param,
    );
  }
  if (!/^[\x20-\x7e]*$/.test(value) || value.length > limits.headerValueCharacters) {
    throw refuseHeader(
      param,
      `A header value is at most ${limits.headerValueCharacters} visible ASCII characters.`,
    );
  }
}

function isCredential(text: string): boolean {
  return text !== '' && text.length <= limits.credentialCharacters && text.isWellFormed();
}

function refuseAuth(param: string, message: string): EngineRefusal {
  return new EngineRefusal('invalid_auth', message, param);
}

function refuseHeader(param: string, message: string): EngineRefusal {
  return new EngineRefusal('invalid_header', message, param);
}
