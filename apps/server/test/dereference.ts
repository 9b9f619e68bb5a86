/** Returns a copy of the document with each `$ref` replaced by its target. The document must have no cycles. */
export function dereference(document: unknown): unknown {
  const plain: unknown = JSON.parse(JSON.stringify(document));
  return resolve(plain);

  function resolve(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(resolve);
    if (typeof node !== 'object' || node === null) return node;
    if (!('$ref' in node)) {
      return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolve(value)]));
    }
    const { $ref, ...rest } = node;
    const target = String($ref)
      .replace('#/', '')
      .split('/')
      .reduce<unknown>((at, part) => (at as Record<string, unknown>)[part], plain);
    return { ...(resolve(target) as object), ...(resolve(rest) as object) };
  }
}
