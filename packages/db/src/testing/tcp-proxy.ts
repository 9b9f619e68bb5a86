import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface TcpProxy {
  /** The URL of the database through the proxy. */
  readonly url: string;
  /** While true, drops all data in both directions without closing connections. */
  blackhole(on: boolean): void;
  /** While true, buffers all data in both directions. Forwards it afterwards. */
  hold(on: boolean): void;
  /** While true, closes each new connection immediately. */
  refuse(on: boolean): void;
  /** Breaks every connection. */
  cut(): void;
  close(): Promise<void>;
}

/** Starts a proxy in front of the server of `url`. `rewrite` can change each chunk that it returns. */
export async function startTcpProxy(
  url: string,
  rewrite: (answer: Buffer) => Buffer = (answer) => answer,
): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let dropping = false;
  let refusing = false;
  let holding = false;
  let buffered: (() => void)[] = [];
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
      if (dropping) return;
      const pass = () => to.write(change(data));
      if (holding) buffered.push(pass);
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
      dropping = on;
    },
    hold(on) {
      holding = on;
      if (on) return;
      const passes = buffered;
      buffered = [];
      for (const pass of passes) pass();
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
