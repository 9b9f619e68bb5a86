/** Receives the parts of one response as they come in. */
export interface ResponseHandler {
  /** Not called for informational responses (1xx). Names are lower-cased, repeated headers joined. */
  onHead(status: number, headers: Record<string, string>): void;
  /** The buffer is reused after the call: copy what you keep. */
  onData(bytes: Buffer): void;
}

/** The bytes are not an HTTP/1.1 response. */
export class InvalidResponse extends Error {
  override readonly name = 'InvalidResponse';
}

interface Head {
  readonly minor: string;
  readonly status: number;
  readonly headers: Record<string, string>;
}

/** How a body ends: after this many bytes, with its last chunk, or with the connection. */
type Framing = number | 'chunked' | 'close';

// Larger heads end the attempt. Cookies and a policy of a framework can exceed 16 kB, the limit of Node's
// parser; other clients allow 300 kB and more.
const headBytes = 65_536;
/** The longest line with a chunk's size and its extensions, or with a trailer. */
const chunkLineBytes = 16_384;
/** The end of a head. */
export const emptyLine = '\r\n\r\n';

/** Reads one response (RFC 9112) from the bytes of a connection, in pieces of any size. */
export class ResponseReader {
  /** The response is complete. */
  ended = false;
  /** The receiver accepts another request on this connection. */
  reusable = false;
  private readonly handler: ResponseHandler;
  private readonly heads: HeadParser;
  private unfinishedHead = '';
  private framing: Framing | undefined;
  private left = 0;
  private chunks: ChunkedBody | undefined;

  constructor(handler: ResponseHandler, heads: HeadParser) {
    this.handler = handler;
    this.heads = heads;
  }

  /** @throws InvalidResponse */
  push(bytes: Buffer): void {
    const start = this.framing === undefined ? this.readHead(bytes) : 0;
    if (this.framing !== undefined) this.readBody(start === 0 ? bytes : bytes.subarray(start));
  }

  /** Call when the receiver ends the connection. Returns whether the response is complete. */
  close(): boolean {
    if (this.framing === 'close') this.ended = true;
    return this.ended;
  }

  /** Returns the position at which the body starts. */
  private readHead(bytes: Buffer): number {
    let at = 0;
    while (at < bytes.length && this.framing === undefined) {
      const known = this.unfinishedHead.length;
      const text = this.unfinishedHead + bytes.toString('latin1', at, at + headBytes);
      // What came before was searched already, but an empty line may have begun in it.
      const end = text.indexOf(emptyLine, Math.max(0, known - emptyLine.length));
      if (end === -1 || end > headBytes) {
        checkBeginning(text);
        this.unfinishedHead = text;
        return bytes.length;
      }
      at += end + emptyLine.length - known;
      this.unfinishedHead = '';
      this.takeHead(this.heads.parse(text.slice(0, end)));
    }
    return at;
  }

  private takeHead(head: Head): void {
    if (head.status === 101) throw new InvalidResponse('it switches to another protocol');
    if (head.status < 200) return;
    this.framing = framingOf(head);
    this.reusable = this.framing !== 'close' && staysOpen(head);
    if (typeof this.framing === 'number') this.left = this.framing;
    if (this.framing === 'chunked') this.chunks = new ChunkedBody(this.handler);
    this.handler.onHead(head.status, head.headers);
  }

  private readBody(bytes: Buffer): void {
    if (this.framing === 'close') {
      if (bytes.length > 0) this.handler.onData(bytes);
      return;
    }
    const rest = this.chunks ? this.chunks.push(bytes) : this.readCounted(bytes);
    if (rest === null) return;
    this.ended = true;
    // Bytes that follow the response mean that the connection is out of step.
    if (rest > 0) this.reusable = false;
  }

  /** Returns how many bytes follow the body, or null if it is not complete. */
  private readCounted(bytes: Buffer): number | null {
    const count = Math.min(this.left, bytes.length);
    this.left -= count;
    if (count > 0) this.handler.onData(bytes.subarray(0, count));
    return this.left > 0 ? null : bytes.length - count;
  }
}

/** @throws InvalidResponse if this cannot be the beginning of a head. */
export function checkBeginning(text: string): void {
  const start = 'HTTP/1.';
  if (!text.startsWith(start.slice(0, text.length))) throw notHttp(text);
  if (text.length >= headBytes) throw new InvalidResponse(`its headers exceed ${headBytes} bytes`);
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const fieldText = '[\\t\\x20-\\x7e\\x80-\\xff]*';
const headPattern = new RegExp(
  `^HTTP/1\\.([01]) ([1-9]\\d\\d)(?: ${fieldText})?(?:\\r\\n${token}:${fieldText})*$`,
);

/** Parses the heads of one connection. Caches the last one, because busy receivers often repeat it. */
export class HeadParser {
  private text = '';
  private head: Head | undefined;

  /** @throws InvalidResponse */
  parse(text: string): Head {
    if (this.head === undefined || text !== this.text) {
      this.head = parseHead(text);
      this.text = text;
    }
    return this.head;
  }
}

/** @throws InvalidResponse */
export function parseHead(head: string): Head {
  const [, minor, status] = headPattern.exec(head) ?? [];
  if (minor === undefined) throw notHttp(head);
  // The object has no prototype, so a header may have any name.
  const headers: Record<string, string> = Object.create(null);
  for (const line of head.split('\r\n').slice(1)) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    const value = line.slice(colon + 1).trim();
    headers[name] = name in headers ? `${headers[name]}, ${value}` : value;
  }
  return { minor, status: Number(status), headers };
}

/** Returns how the body ends (RFC 9112 §6.3). */
function framingOf({ minor, status, headers }: Head): Framing {
  if (status === 204 || status === 304) return 0;
  const coding = headers['transfer-encoding'];
  if (coding !== undefined) {
    return minor === '1' && /(^|[\s,])chunked$/i.test(coding) ? 'chunked' : 'close';
  }
  const length = headers['content-length'];
  if (length === undefined) return 'close';
  const lengths = new Set(length.split(',').map((item) => item.trim()));
  const [single = ''] = lengths;
  // A repeated length counts as one if it is the same each time (RFC 9110 §8.6).
  if (lengths.size === 1 && /^\d{1,15}$/.test(single)) return Number(single);
  throw new InvalidResponse(`its content-length is "${length}"`);
}

function staysOpen({ minor, headers }: Head): boolean {
  const connection = headers.connection?.toLowerCase() ?? '';
  // With both framings, an intermediate server may have used the other one (request smuggling).
  if (headers['transfer-encoding'] !== undefined && headers['content-length'] !== undefined) {
    return false;
  }
  return minor === '1' ? !connection.includes('close') : connection.includes('keep-alive');
}

/** A chunked body (RFC 9112 §7.1). Extensions and trailers are skipped. */
class ChunkedBody {
  private readonly handler: ResponseHandler;
  private part: 'size' | 'data' | 'after' | 'trailers' = 'size';
  private left = 0;
  private line = '';

  constructor(handler: ResponseHandler) {
    this.handler = handler;
  }

  /** Returns how many bytes follow the body, or null if it is not complete. */
  push(bytes: Buffer): number | null {
    let at = 0;
    while (at < bytes.length) {
      if (this.part === 'data') {
        const count = Math.min(this.left, bytes.length - at);
        this.handler.onData(bytes.subarray(at, at + count));
        this.left -= count;
        at += count;
        if (this.left === 0) this.part = 'after';
        continue;
      }
      const end = bytes.indexOf('\n', at);
      this.line += bytes.toString('latin1', at, end === -1 ? bytes.length : end + 1);
      if (this.line.length > chunkLineBytes) throw invalidChunk();
      if (end === -1) return null;
      at = end + 1;
      if (this.endLine()) return bytes.length - at;
    }
    return null;
  }

  /** Reads the line that has just ended. Returns whether it was the last one of the body. */
  private endLine(): boolean {
    const { line, part } = this;
    this.line = '';
    if (!line.endsWith('\r\n')) throw invalidChunk();
    if (part === 'trailers') return line === '\r\n';
    if (part === 'after') {
      if (line !== '\r\n') throw invalidChunk();
      this.part = 'size';
      return false;
    }
    const size = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?\r\n$/i.exec(line)?.[1];
    if (size === undefined) throw invalidChunk();
    this.left = Number.parseInt(size, 16);
    this.part = this.left > 0 ? 'data' : 'trailers';
    return false;
  }
}

function invalidChunk(): InvalidResponse {
  return new InvalidResponse('its body is not chunked as it says');
}

function notHttp(head: string): InvalidResponse {
  return new InvalidResponse(`it is not HTTP/1.1: ${JSON.stringify(head.slice(0, 80))}`);
}
