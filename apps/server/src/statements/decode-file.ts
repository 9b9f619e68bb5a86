import { BadFile } from './bad-file.ts';

/**
 * Decodes a file in the encoding that its first bytes or its XML declaration name, else UTF-8, else
 * Windows-1252, which contains Latin-1. Characters that only control a terminal become blanks, and those that
 * change the direction of text are left out: they could make a screen show another amount.
 * @throws BadFile
 */
export function decodeFile(file: Uint8Array): string {
  const text = new TextDecoder(encodingOf(file)).decode(file);
  return withoutEnd(text)
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, '')
    .replace(/[^\P{Cc}\t\r\n]/gu, ' ');
}

function encodingOf(file: Uint8Array): string {
  const [first, second] = file;
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  // Without a mark: the first character is one of ASCII, whose other byte is zero.
  if (first !== 0 && second === 0) return 'utf-16le';
  if (first === 0 && second !== 0 && second !== undefined) return 'utf-16be';
  const start = Buffer.from(file.subarray(0, 200)).toString('latin1');
  const [, declared] =
    /^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([^"']{1,40})["']/.exec(start) ?? [];
  if (declared !== undefined && !/^utf-?8$/i.test(declared)) return requireEncoding(declared);
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(file);
    return 'utf-8';
  } catch {
    return 'windows-1252';
  }
}

function requireEncoding(encoding: string): string {
  try {
    return new TextDecoder(encoding).encoding;
  } catch {
    throw new BadFile(1, `the encoding "${encoding}" is not known. Save the file as UTF-8.`);
  }
}

/** Some systems end a file with Ctrl-Z, or fill its last block with zero bytes. */
function withoutEnd(text: string): string {
  let end = text.length;
  while (end > 0 && '\x1a\0'.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}
