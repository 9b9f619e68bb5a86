import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// Runs in a separate process, so that its work does not count as the sender's. It prints its port and
// answers 204; `/hang` never answers and `/fail` answers 500. Arrivals at `/timed…` are recorded:
// `/report` returns and clears, for each message, the time of its first arrival (ns, monotonic) and the
// number of arrivals.
const seen = new Map<string, { at: string; times: number }>();
const server = createServer((request, response) => {
  const path = request.url ?? '';
  request.resume();
  request.on('end', () => {
    if (path.startsWith('/hang')) return;
    if (path === '/report') {
      response.end(JSON.stringify([...seen]));
      seen.clear();
      return;
    }
    if (path.startsWith('/timed')) record(String(request.headers['webhook-id']));
    response.writeHead(path.startsWith('/fail') ? 500 : 204).end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume().on('end', () => process.exit());

function record(id: string): void {
  const known = seen.get(id);
  if (known) known.times += 1;
  else seen.set(id, { at: String(process.hrtime.bigint()), times: 1 });
}
