/**
 * JSON of `fields` and of `data`, which is inserted as it was typed: `JSON.stringify` of a parsed value
 * would round large numbers and rewrite others.
 * @param dataText a JSON value
 */
export function withData(fields: Readonly<Record<string, unknown>>, dataText: string): string {
  const before = JSON.stringify(fields).slice(1, -1);
  return `{${before}${before === '' ? '' : ','}"data":${dataText}}`;
}
