import {
  closeSync,
  existsSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants } from 'node:zlib';

/** A folder, or a file whose bytes follow the index. */
interface Entry {
  readonly path: string;
  /** The size of the file in bytes; undefined for a folder. */
  readonly size?: number;
  /**
   * The number of bytes up to the last one that is not zero. Only these are stored, because most of a WAL segment is
   * empty.
   */
  readonly stored?: number;
}

const INDEX_LENGTH_BYTES = 4;
const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

/**
 * Writes a closed database folder into one compressed file, for `FolderTarget.snapshot`: the length of
 * the index, the index as JSON, then the bytes of all files.
 */
export async function packSnapshot(folder: string, file: string): Promise<void> {
  const contents: Buffer[] = [];
  const index = readdirSync(folder, { recursive: true, withFileTypes: true }).map(
    (entry): Entry => {
      const place = join(entry.parentPath, entry.name);
      const path = place.slice(folder.length + 1);
      if (entry.isDirectory()) return { path };
      const bytes = readFileSync(place);
      const stored = bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1);
      contents.push(stored);
      return { path, size: bytes.length, stored: stored.length };
    },
  );
  const head = Buffer.from(JSON.stringify(index));
  const length = Buffer.alloc(INDEX_LENGTH_BYTES);
  length.writeUInt32LE(head.length);
  await writeFile(
    file,
    await promisify(brotliCompress)(Buffer.concat([length, head, ...contents]), QUALITY),
  );
}

/**
 * Unpacks the file into `folder`, unless a database is there. A start that is interrupted leaves a
 * partial folder next to it, which the next one removes. The caller holds the data folder's lock.
 */
export async function unpackSnapshot(file: string, folder: string): Promise<void> {
  if (existsSync(folder)) return;
  const bytes = await promisify(brotliDecompress)(await readFile(file));
  const start = INDEX_LENGTH_BYTES + bytes.readUInt32LE();
  const index: Entry[] = JSON.parse(bytes.toString('utf8', INDEX_LENGTH_BYTES, start));
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { mode: 0o700 });
  let at = start;
  // Synchronous calls: nothing else runs yet, and asynchronous ones took twice as long.
  for (const { path, size, stored = 0 } of index) {
    const place = join(partial, path);
    if (size === undefined) {
      mkdirSync(place, { recursive: true, mode: 0o700 });
      continue;
    }
    const out = openSync(place, 'wx', 0o600);
    writeSync(out, bytes, at, stored);
    if (size > stored) ftruncateSync(out, size);
    closeSync(out);
    at += stored;
  }
  renameSync(partial, folder);
}
