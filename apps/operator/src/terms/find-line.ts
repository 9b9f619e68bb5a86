/**
 * Returns the line number of a field in a JSON text, counted from 1. Null if the text has no such field. `path`
 * is the service's name of the field: "documents.agreement.rent.es", "installment_counts[1]".
 */
export function findLine(json: string, path: string): number | null {
  let from = 0;
  for (const name of path.replace(/\[\d+\]/g, '').split('.')) {
    const position = json.indexOf(`${JSON.stringify(name)}`, from);
    if (position < 0) return null;
    from = position;
  }
  return json.slice(0, from).split('\n').length;
}
