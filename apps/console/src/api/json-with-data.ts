/**
 * Builds a JSON object from `fields` and a `data` member that is inserted as typed. Parsing and
 * re-serializing it would round large numbers and reformat others.
 *
 * @param dataText a JSON value
 */
export function jsonWithData(fields: Readonly<Record<string, unknown>>, dataText: string): string {
  const before = JSON.stringify(fields).slice(1, -1);
  return `{${before}${before === '' ? '' : ','}"data":${dataText}}`;
}
