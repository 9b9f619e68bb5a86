/** Takes the secret of a portal link out of the address bar before anything else can see it. */
export function takeLinkSecret(): string | null {
  const secret = location.hash.slice(1);
  if (secret === '') return null;
  history.replaceState(null, '', location.pathname + location.search);
  return decode(secret);
}

function decode(secret: string): string {
  try {
    return decodeURIComponent(secret);
  } catch {
    // A broken escape can't be a real secret: the service will say so.
    return secret;
  }
}
