import net from 'node:net';
import tls from 'node:tls';

/** Between two addresses of one host, when the first does not answer. */
const nextAddressMs = 2_000;

/** Dials these addresses and no others, whatever `host` leads to; see `opened`. */
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

/** TLS with `host` over an open socket; `ca` as in `Guard`. */
export function encrypt(socket: net.Socket, host: string, ca: string | undefined): tls.TLSSocket {
  const servername = net.isIP(host) === 0 ? host : '';
  const trust = ca === undefined ? {} : { ca };
  const alpn = { ALPNProtocols: ['http/1.1'] };
  return tls.connect({ socket, host, servername, ...alpn, ...trust }).on('error', ignore);
}

/** Resolves with the socket once it is connected, or encrypted. */
export function opened<S extends net.Socket>(
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

/** Whoever waits hears of the error; this listener keeps a late one from ending the process. */
function ignore(): void {}
