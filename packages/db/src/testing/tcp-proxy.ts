import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  /** The same database, through the proxy. */
  readonly url: string;
  /** While true nothing passes, in either direction, and nothing is refused. */
  blackhole(on: boolean): void;
  /** While true everything waits in the proxy, in both directions; then it is passed on. */
  hold(on: boolean): void;
  /** While true each new connection is closed at once. */
  refuse(on: boolean): void;
  /** Breaks every connection. */
  cut(): void;
  close(): Promise<void>;
}

/** Stands between a client and the server of `url`; `rewrite` sees each block of its answers. */
export async function startTcpProxy(
  url: string,
  rewrite: (answer: Buffer) => Buffer = (answer) => answer,
): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let swallowing = false;
  let refusing = false;
  let holding = false;
  let held: (() => void)[] = [];
  const server = createServer((near) => {
    if (refusing) {
      near.destroy();
      return;
    }
    const far = connectTo(url);
    join(near, far, (data) => data);
    join(far, near, rewrite);
  });

  function join(from: Socket, to: Socket, change: (data: Buffer) => Buffer): void {
    sockets.add(from);
    from.on('data', (data: Buffer) => {
      if (swallowing) return;
      const pass = () => to.write(change(data));
      if (holding) held.push(pass);
      else pass();
    });
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://postgres@127.0.0.1:${port}${new URL(url).pathname}`,
    blackhole: (on) => {
      swallowing = on;
    },
    hold(on) {
      holding = on;
      if (on) return;
      const waiting = held;
      held = [];
      for (const pass of waiting) pass();
    },
    refuse: (on) => {
      refusing = on;
    },
    cut: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function connectTo(url: string): Socket {
  const { hostname, port, searchParams } = new URL(url);
  const folder = searchParams.get('host');
  const number = Number(port || 5432);
  return folder === null ? connect(number, hostname) : connect(`${folder}/.s.PGSQL.${number}`);
}
