import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ErrorCode } from '@svc/contract';
import { Refusal } from '../../domain/refusal.ts';
import type { HttpApp, Request } from '../app.ts';
import { type Problem, problemOf } from '../problem.ts';

interface MalformedRequests {
  newRequestId(): string;
  bodyOf(problem: Problem, requestId: string): string;
  log(fields: { status: number; request_id: string; reason: string }): void;
}

const errorCodes: Record<string, ErrorCode> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'payload_too_large',
};

/**
 * Answers with our error envelope and a request id where Node would answer, without a
 * route: a broken request line, oversized headers, a passed deadline, `Expect`, CONNECT.
 */
export function answerMalformedRequests(
  { app, eachServer }: HttpApp,
  malformed: MalformedRequests,
): void {
  const current = new WeakMap<Socket, { request: Request; response: ServerResponse }>();

  app.addHook('onRequest', async (request, reply) => {
    const { socket } = request.raw;
    current.set(socket, { request, response: reply.raw });
    reply.raw.once('close', () => current.delete(socket));
    refuseHead(request.raw);
  });
  eachServer((server) => {
    // Requests that the HTTP parser refused, and passed deadlines.
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      const code = error.code ?? 'unknown';
      // The client is gone.
      if (code === 'ECONNRESET') socket.destroy();
      else end(socket, new Refusal(errorCodes[code] ?? 'malformed_request'), code);
    });
    // Without a listener Node answers 417 with an empty body.
    server.on('checkExpectation', (request, response) => {
      server.emit('request', request, response);
    });
    // Without a listener Node closes the connection without an answer.
    server.on('connect', (_, socket: Socket) => {
      end(
        socket,
        new Refusal('method_not_allowed', { message: 'This is not a proxy.' }),
        'CONNECT',
      );
    });
  });

  function end(socket: Socket, refusal: Refusal, reason: string): void {
    // A request whose body is late already has an id. A request that could not be parsed has none.
    const unanswered = current.get(socket);
    if (!socket.writable || unanswered?.response.headersSent) {
      socket.destroy();
      return;
    }
    const problem = problemOf(refusal);
    const requestId = unanswered?.request.id ?? malformed.newRequestId();
    // A request with a route is logged with that route when its connection closes.
    if (unanswered) unanswered.response.statusCode = problem.status;
    else malformed.log({ status: problem.status, request_id: requestId, reason });
    const body = malformed.bodyOf(problem, requestId);
    socket.end(rawAnswer(problem, requestId, body), () => socket.destroy());
  }
}

/** Refuses the heads that Node would refuse with an empty body. */
function refuseHead({ headers, httpVersion }: IncomingMessage): void {
  if (httpVersion === '1.1' && headers.host === undefined) {
    throw new Refusal('malformed_request', {
      message: 'The request has no Host header. Send the name of the server that you call.',
    });
  }
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect)) {
    throw new Refusal('expectation_failed');
  }
}

function rawAnswer(problem: Problem, requestId: string, body: string): string {
  const headers = {
    ...problem.headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const status = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`;
  return `${[status, ...lines].join('\r\n')}\r\n\r\n${body}`;
}
