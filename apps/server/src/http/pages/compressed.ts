import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Reply, Request } from '../app.ts';

const [brotliOf, gzipOf] = [promisify(brotliCompress), promisify(gzip)];
/** Level 5 of 11 takes 0.5 ms for 30 kB and 30 ms for the API reference; level 11 takes a second for that. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/**
 * A text that is encoded and compressed once, however many requests ask for it at the same time. The API
 * reference is 1.3 MB, and encoding a string for each response takes longer than sending its bytes.
 */
export class CompressedText {
  private readonly bytes: Buffer;
  private brotli: Promise<Buffer> | undefined;
  private gzip: Promise<Buffer> | undefined;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
  }

  /** Returns the body in the best encoding that the client accepts, and sets its headers. */
  async bodyFor(request: Request, reply: Reply): Promise<Buffer> {
    const accepted = String(request.headers['accept-encoding'] ?? '');
    reply.header('vary', 'accept-encoding');
    if (/\bbr\b/.test(accepted)) {
      reply.header('content-encoding', 'br');
      this.brotli ??= brotliOf(this.bytes, quality);
      return this.brotli;
    }
    if (/\bgzip\b/.test(accepted)) {
      reply.header('content-encoding', 'gzip');
      this.gzip ??= gzipOf(this.bytes);
      return this.gzip;
    }
    return this.bytes;
  }
}

// Pages of 30 kB: one for each partner whose tenants are active, with room for a change.
const mostRecent = 200;

/** Caches the pages that were sent last, so that a page that is rendered for each request is also compressed once. */
export function createRecentPages(): (html: string) => CompressedText {
  const recent = new Map<string, CompressedText>();
  return (html) => {
    const page = recent.get(html) ?? new CompressedText(html);
    recent.delete(html);
    recent.set(html, page);
    const [oldest] = recent.keys();
    if (recent.size > mostRecent && oldest !== undefined) recent.delete(oldest);
    return page;
  };
}
