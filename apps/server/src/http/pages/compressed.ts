import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Reply, Request } from '../app.ts';

const [brotliOf, gzipOf] = [promisify(brotliCompress), promisify(gzip)];
/** Of 11: half a millisecond for 30 kB, where the best takes forty. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };

/** A page that is filled in for each request, as small as its reader takes it. */
export async function compressed(
  request: Request,
  reply: Reply,
  html: string,
): Promise<string | Buffer> {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  reply.header('vary', 'accept-encoding');
  if (/\bbr\b/.test(accepted)) {
    reply.header('content-encoding', 'br');
    return brotliOf(html, quality);
  }
  if (/\bgzip\b/.test(accepted)) {
    reply.header('content-encoding', 'gzip');
    return gzipOf(html);
  }
  return html;
}
