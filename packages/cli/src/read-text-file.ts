import { readFileSync } from 'node:fs';

/**
 * Reads a text file that an editor or shell may have written in UTF-8 or UTF-16, with a byte order mark.
 * PowerShell's `>` writes UTF-16. @throws as `readFileSync`
 */
export function readTextFile(file: string): string {
  const bytes = readFileSync(file);
  // A decoder drops the mark.
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

function encodingOf(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // JSON and .env files begin with an ASCII character, which is half zero in UTF-16.
  if (first !== 0 && second === 0) return 'utf-16le';
  return first === 0 && second !== 0 ? 'utf-16be' : 'utf-8';
}
