import pg from 'pg';
import { UnsafeInteger } from '../errors.ts';

type Parse = (text: string) => unknown;

const parsers: Record<number, Parse> = {
  20: safeInteger,
  1016: arrayOf(safeInteger),
  1082: asText,
  1182: arrayOf(asText),
  // The default parser reads a timestamp without time zone in the machine's zone.
  1114: asText,
  1115: arrayOf(asText),
};

/** Parsers that return equal types on both databases, independent of the machine's time zone. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    parsers[oid] ?? pg.types.getTypeParser(oid, format as 'text'),
};

function safeInteger(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value)) return value;
  throw new UnsafeInteger(`The integer ${text} does not fit a JavaScript number exactly.`);
}

function asText(text: string): string {
  return text;
}

function arrayOf(parse: Parse): Parse {
  const split = pg.types.getTypeParser(1009 as number, 'text') as (
    text: string,
  ) => (string | null)[];
  return (text) => split(text).map((entry) => (entry === null ? null : parse(entry)));
}
