import { once } from 'node:events';
import { crc32, createInflate } from 'node:zlib';
import { largestLogo, largestLogoSide } from '@svc/contract';
import { Refusal } from '../refusal.ts';

interface Png {
  /** The file without text, time stamps and camera data, which should not be published by accident. */
  readonly bytes: Buffer;
  readonly width: number;
  readonly height: number;
}

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Chunks that decide how the picture looks, with the most bytes that each may have. All others are dropped. */
const keptChunks: Readonly<Record<string, number>> = {
  IHDR: 13,
  PLTE: 3 * 256,
  IDAT: largestLogo,
  IEND: 0,
  tRNS: 256,
  gAMA: 4,
  cHRM: 32,
  sRGB: 1,
};
/** Chunks that may appear in a file only once. A second one could hold anything. */
const singleChunks = Object.keys(keptChunks).filter((type) => type !== 'IDAT');

/** Samples of a pixel, by color type, with the bit depths that PNG allows. */
const colorTypes: Readonly<Record<number, { samples: number; depths: readonly number[] }>> = {
  0: { samples: 1, depths: [1, 2, 4, 8, 16] },
  2: { samples: 3, depths: [8, 16] },
  3: { samples: 1, depths: [1, 2, 4, 8] },
  4: { samples: 2, depths: [8, 16] },
  6: { samples: 4, depths: [8, 16] },
};

/**
 * Reads a plain PNG of a bounded size and checks every chunk with its checksum. Await `checkPixels` before
 * the transaction that stores the file.
 * @throws Refusal `validation_failed`
 */
export function readPng(file: Uint8Array): Png {
  const { chunks, picture } = parsePng(file);
  const kept = chunks.filter(({ type }) => Object.hasOwn(keptChunks, type)).map(({ raw }) => raw);
  const { width, height } = picture;
  return { bytes: Buffer.concat([signature, ...kept]), width, height };
}

/**
 * Decompresses the picture, no further than the header announces (8 MiB), so that no small file can occupy
 * a tenant's browser with a huge picture. That happens on a thread of Node's pool and keeps no pixels:
 * on the main thread it took 30 ms, in which the service answered no request.
 * @throws Refusal `validation_failed`
 */
export async function checkPixels(file: Uint8Array): Promise<void> {
  const { chunks, picture } = parsePng(file);
  const data = Buffer.concat(chunks.filter(({ type }) => type === 'IDAT').map(({ data }) => data));
  const expected = decodedLength(picture);
  const decoded = await decodedBytes(data, expected).catch(() => null);
  if (decoded === null || decoded.length > expected) {
    throw brokenPng('cannot be decompressed to the size in its header');
  }
  if (decoded.length < expected) throw brokenPng('has fewer pixels than its header says');
  if (decoded.read < data.length) throw brokenPng('has data after its pixels');
}

const decodedAtOnce = 256 * 1024;

/** Returns how many bytes the data decompresses to, and how many of its bytes were read. Stops soon after `most`. */
async function decodedBytes(
  data: Buffer,
  most: number,
): Promise<{ readonly length: number; readonly read: number }> {
  const inflate = createInflate({ chunkSize: decodedAtOnce });
  let length = 0;
  inflate.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > most) inflate.destroy();
  });
  const closed = once(inflate, 'close');
  inflate.end(data);
  await closed;
  return { length, read: inflate.bytesWritten };
}

function parsePng(file: Uint8Array): { chunks: readonly Chunk[]; picture: Header } {
  const input = Buffer.from(file.buffer, file.byteOffset, file.byteLength);
  if (input.length > largestLogo) {
    throw refuse('too_big', `is ${input.length} bytes; a logo has at most ${largestLogo}`);
  }
  if (!input.subarray(0, 8).equals(signature)) {
    throw refuse('invalid_format', 'is not a PNG. Export the logo as PNG; SVG is not supported');
  }
  const chunks = readChunks(input);
  const [header] = chunks;
  if (header?.type !== 'IHDR' || header.data.length !== 13) throw brokenPng('has no header');
  const picture = readHeader(header.data);
  const types = chunks.map(({ type }) => type);
  if (types.at(-1) !== 'IEND' || types.lastIndexOf('IHDR') !== 0) throw brokenPng('is incomplete');
  if (types.some((type) => ['acTL', 'fcTL', 'fdAT'].includes(type))) {
    throw refuse('invalid_format', 'is animated. Upload a still picture');
  }
  const unknown = types.find((type) => /^[A-Z]/.test(type) && !Object.hasOwn(keptChunks, type));
  if (unknown !== undefined) throw brokenPng('contains a part that PNG does not define');
  const oversized = chunks.find(
    ({ type, data }) => data.length > (keptChunks[type] ?? largestLogo),
  );
  if (oversized !== undefined)
    throw brokenPng(`has ${oversized.data.length} bytes of ${oversized.type}`);
  const repeated = singleChunks.find((type) => types.indexOf(type) !== types.lastIndexOf(type));
  if (repeated !== undefined) throw brokenPng(`has ${repeated} twice`);
  if (picture.colorType === 3 && !types.includes('PLTE')) throw brokenPng('has no palette');
  return { chunks, picture };
}

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
  /** The whole chunk, with its length and checksum. */
  readonly raw: Buffer;
}

function readChunks(input: Buffer): Chunk[] {
  const chunks: Chunk[] = [];
  for (let offset = signature.length; offset < input.length; ) {
    if (offset + 12 > input.length) throw brokenPng('ends early');
    const end = offset + 12 + input.readUInt32BE(offset);
    if (end > input.length) throw brokenPng('ends early');
    const type = input.toString('latin1', offset + 4, offset + 8);
    if (crc32(input.subarray(offset + 4, end - 4)) !== input.readUInt32BE(end - 4)) {
      throw brokenPng('is damaged: a checksum is wrong');
    }
    chunks.push({
      type,
      data: input.subarray(offset + 8, end - 4),
      raw: input.subarray(offset, end),
    });
    offset = end;
    if (type === 'IEND' && offset < input.length) throw brokenPng('has data after its end');
  }
  return chunks;
}

interface Header {
  readonly width: number;
  readonly height: number;
  readonly colorType: number;
  readonly bitsPerPixel: number;
  readonly interlaced: boolean;
}

function readHeader(data: Buffer): Header {
  const [width, height] = [data.readUInt32BE(0), data.readUInt32BE(4)];
  const [depth = 0, colorType = -1, compression, filter, interlace] = data.subarray(8);
  if (width < 1 || height < 1) throw brokenPng('is empty');
  if (width > largestLogoSide || height > largestLogoSide) {
    throw refuse(
      'too_big',
      `is ${width} × ${height} px; a logo has at most ${largestLogoSide} px on each side`,
    );
  }
  const color = colorTypes[colorType];
  if (!color?.depths.includes(depth)) throw brokenPng('has an unknown color type');
  if (compression !== 0 || filter !== 0 || (interlace !== 0 && interlace !== 1)) {
    throw brokenPng('is packed in an unknown way');
  }
  const bitsPerPixel = color.samples * depth;
  return { width, height, colorType, bitsPerPixel, interlaced: interlace === 1 };
}

/** Returns the decompressed size in bytes: a filter byte and the pixels of each line, in all passes if interlaced. */
function decodedLength({ width, height, bitsPerPixel, interlaced }: Header): number {
  const bytes = (columns: number, lines: number) =>
    columns === 0 ? 0 : lines * (1 + Math.ceil((columns * bitsPerPixel) / 8));
  if (!interlaced) return bytes(width, height);
  // First column, first line, and the steps between them (PNG, 8.2).
  const passes = [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ] as const;
  return passes.reduce(
    (sum, [x, y, dx, dy]) =>
      sum +
      bytes(Math.max(0, Math.ceil((width - x) / dx)), Math.max(0, Math.ceil((height - y) / dy))),
    0,
  );
}

function brokenPng(message: string): Refusal {
  return refuse('invalid_format', `is not a valid PNG: it ${message}. Export it again`);
}

function refuse(code: 'too_big' | 'invalid_format', message: string): Refusal {
  return new Refusal('validation_failed', {
    message: `The body ${message}.`,
    errors: [{ param: '', code, message }],
  });
}
