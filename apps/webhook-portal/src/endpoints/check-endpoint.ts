/** What is wrong with an endpoint's URL as typed, or null. The service checks again, addresses too. */
export function checkUrl(text: string, environment: 'sandbox' | 'production'): string | null {
  const url = text.trim();
  if (url === '') return 'Write the address that receives the webhooks.';
  if (!URL.canParse(url)) return 'Not a full URL yet: it starts with https:// and names a host.';
  const { protocol, username, password, hash } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'http:')
    return 'Only https:// addresses can be called.';
  if (protocol === 'http:' && environment === 'production')
    return 'Production takes https:// only.';
  if (username !== '' || password !== '') {
    return 'Take the user name and password out of the URL, and choose Basic authentication below.';
  }
  return hash === '' ? null : 'Take the part from # on away: it never reaches a server.';
}

/** Something to know that is no fault. */
export function describeUrlRisk(text: string): string | null {
  if (!URL.canParse(text.trim())) return null;
  const { protocol, hostname } = new URL(text.trim());
  if (isLocal(hostname))
    return 'A private address: it is called only where the service was told to allow them.';
  return protocol === 'http:' ? 'Plain http can be read on its way: use it for tests only.' : null;
}

function isLocal(hostname: string): boolean {
  return /(^|\.)localhost$|^127\.|^10\.|^192\.168\.|^172\.(1[6-9]|2\d|3[01])\.|^\[::1\]$/.test(
    hostname,
  );
}

/** What is wrong with an endpoint's own name as typed, or null; the service has the same limits. */
export function checkUid(text: string): string | null {
  const uid = text.trim();
  if (uid.startsWith('ep_')) return 'It can’t begin with ep_: the ids of this service do.';
  if (uid.length > 100) return 'At most 100 characters.';
  return /^[A-Za-z0-9_.-]*$/.test(uid) ? null : 'Take letters, digits and _ . - only.';
}
