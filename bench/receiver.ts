import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// A process of its own, so that a receiver's work is never counted as a sender's: answers 204 to
// everything and prints its port.
const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.writeHead(204).end());
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
process.stdin.resume().on('end', () => process.exit());
