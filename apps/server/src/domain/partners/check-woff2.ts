import { largestFont } from '@svc/contract';
import { Refusal } from '../refusal.ts';

const headerLength = 48;
/** In bytes. Limits what a tenant's browser decompresses: ten times the largest file. */
const largestDecoded = 2_048_000;

/**
 * Checks the header of a WOFF2 file (W3C WOFF 2.0, section 4). The tables in it are compressed with
 * Brotli; browsers check them before use.
 * @throws Refusal `validation_failed`
 */
export function checkWoff2(file: Uint8Array): Buffer {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (bytes.length > largestFont) {
    throw refuse('too_big', `is ${bytes.length} bytes; a font has at most ${largestFont}`);
  }
  if (bytes.length < headerLength || bytes.toString('latin1', 0, 4) !== 'wOF2') {
    throw refuse('invalid_format', 'is not a WOFF2 font. Convert the font to WOFF2');
  }
  const flavor = bytes.readUInt32BE(4);
  const isFont = flavor === 0x00010000 || flavor === 0x4f54544f;
  const isWhole = bytes.readUInt32BE(8) === bytes.length;
  const hasTables = bytes.readUInt16BE(12) > 0 && bytes.readUInt16BE(14) === 0;
  const isBounded = bytes.readUInt32BE(16) <= largestDecoded;
  const fits = bytes.readUInt32BE(20) <= bytes.length - headerLength;
  if (!isFont || !isWhole || !hasTables || !isBounded || !fits) {
    throw refuse('invalid_format', 'is not a valid WOFF2 font with one face. Convert it again');
  }
  return bytes;
}

function refuse(code: 'too_big' | 'invalid_format', message: string): Refusal {
  return new Refusal('validation_failed', {
    message: `The body ${message}.`,
    errors: [{ param: '', code, message }],
  });
}
