/** Reads the width and height of a PNG, in pixels, from its first chunk. */
export function pngSize(file: Buffer): { width: number; height: number } {
  if (file.toString('latin1', 1, 4) !== 'PNG') throw new Error('The picture is not a PNG.');
  return { width: file.readUInt32BE(16), height: file.readUInt32BE(20) };
}
