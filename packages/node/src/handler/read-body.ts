/** A request of Node's `http`, as Express and the API routes of Next extend it. */
export interface NodeWebhookRequest extends AsyncIterable<Uint8Array | string> {
  method?: string | undefined;
  headers: Record<string, string | string[] | undefined>;
  readableEnded?: boolean;
  /** Set by a body parser. */
  body?: unknown;
  /** Set by Nest and by some cloud functions. */
  rawBody?: unknown;
}

/** The response to a request whose raw body is not available. */
export interface BodyProblem {
  readonly status: 400 | 413 | 500;
  readonly message: string;
}

export async function readFetchBody(
  request: Request,
  maxBytes: number,
): Promise<Uint8Array | BodyProblem> {
  if (request.bodyUsed) {
    return {
      status: 500,
      message:
        'The body of this request was already read, so its signature cannot be verified. Pass the ' +
        'request before anything calls json() or text() on it, or call that on request.clone().',
    };
  }
  return request.body ? collect(sourceOf(request.body), maxBytes) : new Uint8Array();
}

/** Reads the stream, or takes the raw body of a framework that has read it. */
export async function readNodeBody(
  request: NodeWebhookRequest,
  maxBytes: number,
): Promise<string | Uint8Array | BodyProblem> {
  for (const raw of [request.rawBody, request.body]) {
    if (raw instanceof Uint8Array) return raw.byteLength > maxBytes ? tooLarge(maxBytes) : raw;
    if (typeof raw === 'string') return raw.length > maxBytes ? tooLarge(maxBytes) : raw;
  }
  // express.json() leaves `{}` for a body of another type, and then the stream is still unread.
  if (request.readableEnded) {
    return {
      status: 500,
      message:
        'The body was already parsed, so its signature cannot be verified. In Express, register ' +
        "this route before express.json(), or give the route express.raw({ type: '*/*' }). In an " +
        'API route of Next, export config = { api: { bodyParser: false } }.',
    };
  }
  return collect(nodeSourceOf(request), maxBytes);
}

interface Source {
  /** Returns undefined at the end. */
  next(): Promise<Uint8Array | string | undefined>;
  stop(): unknown;
}

/** Reads a web stream with its reader, because not every runtime can iterate it. */
function sourceOf(body: ReadableStream<Uint8Array>): Source {
  const reader = body.getReader();
  return {
    next: async () => (await reader.read()).value,
    stop: () => reader.cancel(),
  };
}

/** Avoids `for await`: ending early, it would close the connection, and the sender would get no response. */
function nodeSourceOf(request: NodeWebhookRequest): Source {
  const chunks = request[Symbol.asyncIterator]();
  return {
    next: async () => (await chunks.next()).value as Uint8Array | string | undefined,
    stop: () => undefined,
  };
}

async function collect(source: Source, maxBytes: number): Promise<Uint8Array | BodyProblem> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    for (;;) {
      const chunk = await source.next();
      if (chunk === undefined) break;
      const part = typeof chunk === 'string' ? new TextEncoder().encode(chunk) : chunk;
      size += part.byteLength;
      if (size > maxBytes) {
        await source.stop();
        return tooLarge(maxBytes);
      }
      parts.push(part);
    }
  } catch {
    return { status: 400, message: 'The connection broke before the whole body arrived.' };
  }
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
}

function tooLarge(maxBytes: number): BodyProblem {
  return { status: 413, message: `The body is over ${maxBytes} bytes. No webhook of Svc is.` };
}
