import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';

/** All addresses of a host name; throws when there are none. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

export interface ResolverOptions {
  /** `localhost`, `*.localhost` and the names of the hosts file, which DNS servers do not know. */
  readonly localNames: boolean;
  /** `address:port` of DNS servers; the system's when left out. */
  readonly servers?: readonly string[];
  readonly hostsFile?: string;
}

const noAnswer = new Set(['ENODATA', 'ENOTFOUND']);
const loopback = ['127.0.0.1', '::1'];

/**
 * Asks DNS itself, never `dns.lookup`: that one runs on a pool of four threads, so that four
 * hanging names would stop every other look-up and file read of the process.
 */
export function createResolver(options: ResolverOptions): ResolveHost {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  if (options.servers) resolver.setServers([...options.servers]);

  return async (hostname) => {
    const name = hostname.replace(/\.$/, '').toLowerCase();
    const local = options.localNames ? await localAddresses(name, options.hostsFile) : [];
    if (local.length > 0) return local;
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const found = [...answers(v4), ...answers(v6)];
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

function answers(result: PromiseSettledResult<string[]>): string[] {
  return result.status === 'fulfilled' ? result.value : [];
}

function failure(result: PromiseSettledResult<string[]>): NodeJS.ErrnoException | undefined {
  return result.status === 'rejected' ? (result.reason as NodeJS.ErrnoException) : undefined;
}
