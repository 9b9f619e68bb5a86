/**
 * Encodes values for a `$n::text[]` parameter in PostgreSQL's binary array format: many rows in one
 * parameter that neither side has to escape or parse. Costs the server half as much as JSON.
 */
export function textColumn(values: readonly (string | null)[]): Buffer {
  const lengths = values.map((value) => (value === null ? -1 : Buffer.byteLength(value)));
  const size = lengths.reduce((sum, length) => sum + 4 + Math.max(0, length), headerBytes);
  const column = startColumn(textType, values.length, size);
  let at = headerBytes;
  for (const [index, value] of values.entries()) {
    at = column.writeInt32BE(lengths[index] ?? -1, at);
    if (value !== null) at += column.write(value, at);
  }
  return column;
}

/** Encodes values for a `$n::timestamptz[]` parameter in PostgreSQL's binary array format. */
export function timeColumn(values: readonly Date[]): Buffer {
  const column = startColumn(timeType, values.length, headerBytes + 12 * values.length);
  let at = headerBytes;
  for (const value of values) {
    at = column.writeInt32BE(8, at);
    at = column.writeBigInt64BE(BigInt((value.getTime() - epochMs) * 1_000), at);
  }
  return column;
}

// The format is that of array_recv in src/backend/utils/adt/arrayfuncs.c of PostgreSQL: number of
// dimensions, whether nulls may occur, element type, number of elements, index of the first; then the
// length and the bytes of each.
const headerBytes = 20;
const textType = 25;
const timeType = 1184;
/** PostgreSQL counts microseconds from the start of 2000. */
const epochMs = Date.UTC(2000, 0, 1);

function startColumn(type: number, count: number, size: number): Buffer {
  const column = Buffer.allocUnsafe(size);
  column.writeInt32BE(1, 0);
  column.writeInt32BE(1, 4);
  column.writeInt32BE(type, 8);
  column.writeInt32BE(count, 12);
  column.writeInt32BE(1, 16);
  return column;
}
