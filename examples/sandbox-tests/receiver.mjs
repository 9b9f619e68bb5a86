import { createServer } from 'node:http';
import { verifyWebhook } from '@svc/node';

/** The part of your backend that these tests check: it stores what a settlement owes you. */
export function createReceiver(secret) {
  const settlements = new Map();
  const server = createServer(async (request, response) => {
    const chunks = [];
    for await (const chunk of request) chunks.push(chunk);
    try {
      const event = verifyWebhook(Buffer.concat(chunks), request.headers, secret());
      if (event.type === 'settlement.created') {
        settlements.set(event.data.settlement_id, event.data.amount_in_cents);
      }
      response.writeHead(204, { connection: 'close' }).end();
    } catch {
      response.writeHead(400, { connection: 'close' }).end();
    }
  });
  return { server, settlements };
}
