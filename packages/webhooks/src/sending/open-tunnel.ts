import net from 'node:net';
import { createResolver } from '../addresses/resolve-host.ts';
import type { EgressProxy } from '../kernel/engine-deps.ts';
import { dial, encrypt, waitUntilOpen } from './dial.ts';
import { checkBeginning, emptyLine, parseHead } from './read-response.ts';

/** The proxy opened no tunnel. Owners see the message, so it contains no host and no credentials. */
class ProxyFailure extends Error {
  override readonly name = 'ProxyFailure';
}

interface TunnelOptions {
  readonly proxy: EgressProxy;
  /** The only trusted certificate authority; undefined for the usual ones. */
  readonly ca: string | undefined;
  /** Called with each socket before it is open, so that the caller can close it. */
  readonly track: (socket: net.Socket) => void;
}

// The operator chooses the proxy, so its address may be private or come from the hosts file.
const resolveProxy = createResolver({ localNames: true });

/**
 * Opens a tunnel through the proxy to the first of these addresses that it can reach. The proxy gets
 * addresses and never a name, because it could resolve the name to an address that was not checked.
 * @throws ProxyFailure
 */
export async function openTunnel(
  addresses: readonly string[],
  port: number,
  options: TunnelOptions,
): Promise<net.Socket> {
  let status = 0;
  for (const address of addresses) {
    const socket = await connectToProxy(options);
    const authority = net.isIPv6(address) ? `[${address}]:${port}` : `${address}:${port}`;
    status = await sendConnect(socket, authority, options.proxy);
    if (status >= 200 && status < 300) return socket;
    socket.destroy();
    if (status === 407) break;
  }
  throw new ProxyFailure(`the egress proxy answered CONNECT with ${status}`);
}

async function connectToProxy({ proxy, ca, track }: TunnelOptions): Promise<net.Socket> {
  const { host, port, secure } = proxy;
  try {
    const addresses = net.isIP(host) === 0 ? await resolveProxy(host) : [host];
    const plain = dial(host, port, addresses);
    track(plain);
    await waitUntilOpen(plain, 'connect');
    if (!secure) return plain;
    const encrypted = encrypt(plain, host, ca);
    track(encrypted);
    return await waitUntilOpen(encrypted, 'secureConnect');
  } catch (error) {
    const { code = 'it closed the connection' } = error as NodeJS.ErrnoException;
    throw new ProxyFailure(`the egress proxy cannot be reached: ${code}`);
  }
}

/** Returns the status of the proxy's answer. The socket is paused, and bytes after the answer are put back. */
function sendConnect(socket: net.Socket, authority: string, proxy: EgressProxy): Promise<number> {
  const { credentials } = proxy;
  const lines = [`CONNECT ${authority} HTTP/1.1`, `host: ${authority}`];
  if (credentials !== null) lines.push(`proxy-authorization: ${credentials}`);
  return new Promise((resolve, reject) => {
    let text = '';
    const read = (bytes: Buffer) => {
      text += bytes.toString('latin1');
      const end = text.indexOf(emptyLine);
      try {
        if (end === -1) checkBeginning(text);
        else succeed(parseHead(text.slice(0, end)).status, text.slice(end + emptyLine.length));
      } catch {
        rejectWith('replied to CONNECT with something other than HTTP/1.1');
      }
    };
    const closed = () => rejectWith('closed the connection before it answered CONNECT');
    const removeListeners = () => socket.off('data', read).off('close', closed);
    const succeed = (status: number, rest: string) => {
      removeListeners().pause();
      if (rest !== '') socket.unshift(Buffer.from(rest, 'latin1'));
      resolve(status);
    };
    const rejectWith = (what: string) => {
      removeListeners().destroy();
      reject(new ProxyFailure(`the egress proxy ${what}`));
    };
    socket.on('data', read).on('close', closed);
    socket.write(`${lines.join('\r\n')}${emptyLine}`);
  });
}
