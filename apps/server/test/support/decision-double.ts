import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Answer = (response: ServerResponse) => void;

interface Asked {
  readonly body: { external_id: string; application_id: string; facts: object };
  readonly headers: IncomingMessage['headers'];
  readonly raw: string;
}

export const approved = {
  outcome: 'approved',
  policy_version: 'p-1',
  approved_amount_in_cents: 200_000,
};

/**
 * Starts a decision service as an operator would run it, on the loopback interface. It approves, unless
 * `answers` says otherwise for a tenant: with other JSON (`json`), another status, or a function that keeps the
 * response, to answer late or never.
 */
export async function startDecisionDouble() {
  const asked: Asked[] = [];
  const answers = new Map<string, Answer>();
  const server = createServer(async (request, response) => {
    let raw = '';
    for await (const chunk of request) raw += String(chunk);
    const body = JSON.parse(raw) as Asked['body'];
    asked.push({ body, headers: request.headers, raw });
    const answer = answers.get(body.external_id) ?? json(approved);
    answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    asked,
    answers,
    /** The settings with which our service calls this one. */
    underwriting: {
      url: `http://127.0.0.1:${port}/decide`,
      secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}`,
      fields: [],
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export function json(value: unknown, status = 200): Answer {
  return (response) => response.writeHead(status).end(JSON.stringify(value));
}
