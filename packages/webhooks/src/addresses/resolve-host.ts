import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';

/** Returns all addresses of a host name. Throws if there are none. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

interface ResolverOptions {
  /** Also resolves `localhost`, `*.localhost` and the names of the hosts file, which are not in DNS. */
  readonly localNames: boolean;
  /** `address:port` of DNS servers. Default: the system's. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
}

const noAnswer = new Set(['ENODATA', 'ENOTFOUND']);
const loopback = ['127.0.0.1', '::1'];

/**
 * Queries DNS directly. `dns.lookup` runs on a pool of four threads, so four hanging names would
 * block every other lookup and file read of the process.
 */
export function createResolver(options: ResolverOptions): ResolveHost {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (options.servers) resolver.setServers([...options.servers]);

  return async (hostname) => {
    const name = hostname.replace(/\.$/, '').toLowerCase();
    const local = options.localNames ? await localAddresses(name, options.hostsFile) : [];
    if (local.length > 0) return local;
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [...resolvedAddresses(v4), ...resolvedAddresses(v6)];
    if (found.length > 0) return found;
    throw [v4, v6].map(failure).find((error) => !noAnswer.has(error?.code ?? '')) ?? failure(v4);
  };
}

async function localAddresses(name: string, hostsFile = '/etc/hosts'): Promise<string[]> {
  if (name === 'localhost' || name.endsWith('.localhost')) return loopback;
  const text = await readFile(hostsFile, 'utf8').catch(() => '');
  return text
    .split('\n')
    .map((line) => line.replace(/#.*/, '').trim().split(/\s+/))
    .filter(([, ...names]) => names.some((entry) => entry.toLowerCase() === name))
    .map(([address = '']) => address);
}

function resolvedAddresses(result: PromiseSettledResult<string[]>): string[] {
  return result.status === 'fulfilled' ? result.value : [];
}

function failure(result: PromiseSettledResult<string[]>): NodeJS.ErrnoException | undefined {
  return result.status === 'rejected' ? (result.reason as NodeJS.ErrnoException) : undefined;
}
