/** The addresses of the NATS servers, and our credentials. */
export interface NatsServers {
  /** `host:port` of one or more servers of a cluster. */
  readonly hosts: readonly string[];
  /** True to refuse a server without TLS. */
  readonly tls: boolean;
  readonly user?: string;
  readonly password?: string;
  readonly token?: string;
  /** The path of a file with a user's JWT and key. Read for each connection, so it can be replaced. */
  readonly credsFile?: string | undefined;
}

const serverUrlPattern = /^(nats|tls):\/\/(?:([^@/?#]*)@)?([^@/?#]+)\/?$/;
const defaultPort = 4_222;

/**
 * Reads `nats://user:password@host:4222,host:4222`, with `tls` instead of `nats` to require TLS, and
 * with a token instead of user and password. Undefined if it is something else.
 */
export function parseNatsUrl(text: string): NatsServers | undefined {
  const [, scheme, credentials, list = ''] = serverUrlPattern.exec(text) ?? [];
  const hosts = list.split(',').map(parseHost);
  const given = credentials === undefined ? {} : parseCredentials(credentials);
  if (!given || !hosts.every((host) => host !== undefined)) return undefined;
  return { hosts, tls: scheme === 'tls', ...given };
}

function parseHost(text: string): string | undefined {
  // As http, because URL checks the host and its port only for the schemes that it knows.
  const url = URL.canParse(`http://${text}`) ? new URL(`http://${text}`) : undefined;
  if (!url) return undefined;
  const port = /:\d+$/.exec(text)?.[0] ?? `:${defaultPort}`;
  return `${url.hostname}${port}`;
}

function parseCredentials(text: string): Partial<NatsServers> | undefined {
  const [first = '', ...rest] = text.split(':');
  if (first === '' || rest.length > 1) return undefined;
  try {
    const [user, password] = [first, rest[0]].map((it) => it && decodeURIComponent(it));
    if (user === undefined) return undefined;
    return rest.length === 0 ? { token: user } : { user, password: password ?? '' };
  } catch {
    return undefined;
  }
}
