import net from 'node:net';
import tls from 'node:tls';

/** How long to wait for one address of a host before trying the next one. */
const nextAddressMs = 2_000;

/** Dials these addresses only, whatever `host` resolves to. Await the connection with `waitUntilOpen`. */
export function dial(host: string, port: number, addresses: readonly string[]): net.Socket {
  const found = addresses.map((address) => ({ address, family: net.isIP(address) }));
  const socket = net.connect({
    host,
    port,
    noDelay: true,
    keepAlive: true,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: nextAddressMs,
    lookup: (_host, _options, answer) => answer(null, found),
  });
  return socket.on('error', ignore);
}

/** Starts TLS with `host` over an open socket. `ca`: the only trusted authority, instead of the usual ones. */
export function encrypt(socket: net.Socket, host: string, ca: string | undefined): tls.TLSSocket {
  const servername = net.isIP(host) === 0 ? host : '';
  const trust = ca === undefined ? {} : { ca };
  const alpn = { ALPNProtocols: ['http/1.1'] };
  return tls.connect({ socket, host, servername, ...alpn, ...trust }).on('error', ignore);
}

/** Resolves with the socket when it is connected (`connect`) or encrypted (`secureConnect`). */
export function waitUntilOpen<S extends net.Socket>(
  socket: S,
  event: 'connect' | 'secureConnect',
): Promise<S> {
  return new Promise((resolve, reject) => {
    const close = () => reject(new Error('the connection was closed while it was being opened'));
    socket.once('error', reject).once('close', close);
    socket.once(event, () => {
      socket.off('error', reject).off('close', close);
      resolve(socket);
    });
  });
}

/** `waitUntilOpen` reports errors. Without this listener, an error after it would end the process. */
function ignore(): void {}
