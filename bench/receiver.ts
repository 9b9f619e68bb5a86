import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A process of its own, so that a receiver's work is never counted as a sender's: answers 204 and
// prints its port. `/hang` never answers, `/fail` answers 500; what comes to `/timed…` is noted, and `/report` tells and
// forgets it: of each message the time of its first arrival (ns, monotonic) and how often it came.
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
    if (path.startsWith('/timed')) note(String(request.headers['webhook-id']));
    response.writeHead(path.startsWith('/fail') ? 500 : 204).end();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume().on('end', () => process.exit());

function note(id: string): void {
  const known = seen.get(id);
  if (known) known.times += 1;
  else seen.set(id, { at: String(process.hrtime.bigint()), times: 1 });
}
