/** Matches the end of the external id of a copy whose webhooks and mails are held back. */
const quietEnding = /~fork-\d{1,6}$/;
/** Matches the end of the external id of any copy. Webhooks about a copy that ends with `~copy-1` are delivered. */
const copyEnding = /~(?:fork|copy)-\d{1,6}$/;
const longestId = 255;

/**
 * Returns the external id of a tenant's copy, such as `t-100~fork-1`. A copy of a copy is named after the original
 * tenant.
 */
export function forkName(
  externalId: string,
  { number, isQuiet }: { readonly number: number; readonly isQuiet: boolean },
): string {
  const ending = `~${isQuiet ? 'fork' : 'copy'}-${number}`;
  return externalId.replace(copyEnding, '').slice(0, longestId - ending.length) + ending;
}

/**
 * Returns whether webhooks and mails about this tenant are held back. Call it in the sandbox only: elsewhere, an
 * external id means nothing to us. The external id itself says it, so that publishing needs no further statement.
 */
export function isQuietFork(externalId: string | null): boolean {
  return externalId !== null && quietEnding.test(externalId);
}
