/**
 * The line of a JSON text on which a field stands, from 1 on; null if the text has no such field. `path` is
 * as the service names it: "documents.agreement.rent.es", "installment_counts[1]".
 */
export function findLine(json: string, path: string): number | null {
  let from = 0;
  for (const name of path.replace(/\[\d+\]/g, '').split('.')) {
    const at = json.indexOf(`${JSON.stringify(name)}`, from);
    if (at < 0) return null;
    from = at;
  }
  return json.slice(0, from).split('\n').length;
}
