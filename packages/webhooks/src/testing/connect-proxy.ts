import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import { proxyCertificate } from './certificate.ts';

export interface ConnectProxy {
  readonly url: string;
  /** The targets of the CONNECT requests, such as `127.0.0.1:443`. */
  readonly asked: string[];
  readonly authorizations: (string | undefined)[];
  /** Handles a request instead of opening the tunnel. */
  answer: ((client: Socket, authority: string) => void) | undefined;
  close(): void;
}

/** A real HTTP proxy on loopback, with TLS as proxy.localhost. All tunnels lead to `port`. */
export async function openConnectProxy(port: number, secure = false): Promise<ConnectProxy> {
  const sockets = new Set<Socket>();
  const server: Server = secure ? createTlsServer(proxyCertificate) : createServer();
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    const authority = request.url ?? '';
    proxy.asked.push(authority);
    proxy.authorizations.push(request.headers['proxy-authorization']);
    if (proxy.answer) proxy.answer(client, authority);
    else pipeSockets(client, track(net.connect(port, '127.0.0.1')));
  });
  const track = (socket: Socket) => {
    sockets.add(socket);
    return socket.on('error', () => {});
  };
  server.on('connection', track);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port: own } = server.address() as AddressInfo;
  const proxy: ConnectProxy = {
    url: secure ? `https://proxy.localhost:${own}` : `http://127.0.0.1:${own}`,
    asked: [],
    authorizations: [],
    answer: undefined,
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
  return proxy;
}

function pipeSockets(client: Socket, receiver: Socket): void {
  receiver.once('connect', () => {
    client.write('HTTP/1.1 200 Connection established\r\n\r\n');
    client.pipe(receiver).pipe(client);
  });
  client.on('error', () => receiver.destroy()).on('close', () => receiver.destroy());
  receiver.on('close', () => client.destroy());
}
