import { bareHost } from '../addresses/address-guard.ts';
import type { EgressProxy } from '../kernel/engine-deps.ts';

/** Parses `http(s)://[user:password@]host[:port]`; undefined if the text is anything else. */
export function parseEgressProxy(text: string): EgressProxy | undefined {
  if (!/^https?:\/\/[^\s\\/?#]+\/?$/i.test(text) || !URL.canParse(text)) return undefined;
  const { protocol, hostname, port, username, password } = new URL(text);
  const secure = protocol === 'https:';
  try {
    return {
      secure,
      host: bareHost(hostname),
      port: Number(port || (secure ? 443 : 80)),
      credentials:
        username === '' && password === '' ? null : basicAuthorization(username, password),
    };
  } catch {
    // A percent sign in the user name or password encodes nothing.
    return undefined;
  }
}

function basicAuthorization(username: string, password: string): string {
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
