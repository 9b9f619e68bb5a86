import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

interface Balancer {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts a TCP proxy that gives each new connection to the next service in turn. */
export async function startBalancer(services: readonly string[]): Promise<Balancer> {
  const targets = services.map((url) => new URL(url));
  const sockets = new Set<Socket>();
  let turn = 0;
  const server = createServer((near) => {
    const { hostname, port } = targets[turn % targets.length] as URL;
    turn += 1;
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
