import type { SvcEnvironment } from '@svc/contract';
/** Validates an endpoint URL as typed. Returns an error message or null. The service also checks its addresses. */
export function checkUrl(text: string, environment: SvcEnvironment): string | null {
  const url = text.trim();
  if (url === '') return 'Enter the URL that receives the webhooks.';
  if (!URL.canParse(url)) return 'Not a complete URL yet. Start with https:// and include a host.';
  const { protocol, username, password, hash } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:') return 'Use an https:// URL.';
  if (protocol === 'http:' && environment === 'production') return 'Production requires https://.';
  if (username !== '' || password !== '') {
    return 'Remove the username and password from the URL, and choose Basic authentication below.';
  }
  return hash === '' ? null : 'Remove the part after #. It is never sent to the server.';
}

/** A warning about a valid URL: a private address or plain http. */
export function describeUrlRisk(text: string): string | null {
  if (!URL.canParse(text.trim())) return null;
  const { protocol, hostname } = new URL(text.trim());
  if (isLocal(hostname))
    return 'A private address. It is called only if the service allows private addresses.';
  return protocol === 'http:' ? 'Plain http is not encrypted. Use it only for tests.' : null;
}

function isLocal(hostname: string): boolean {
  return /(^|\.)localhost$|^127\.|^10\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^\[::1\]$/.test(
    hostname,
  );
}

/** Validates a custom endpoint ID as typed, with the service's limits. Returns an error message or null. */
export function checkUid(text: string): string | null {
  const uid = text.trim();
  if (uid.startsWith('ep_')) return 'It can’t start with ep_, which is reserved for endpoint IDs.';
  if (uid.length > 100) return 'At most 100 characters.';
  return /^[A-Za-z0-9_.-]*$/.test(uid) ? null : 'Use only letters, digits, and _ . -';
}
