/** Ends the external id of a copy whose webhooks and mails go nowhere. */
const quiet = /~fork-\d{1,6}$/;
/** Ends the external id of a copy whose webhooks are delivered. */
const copied = /~(?:fork|copy)-\d{1,6}$/;
const longestId = 255;

/** The external id of a tenant's copy, such as `t-100~fork-1`. A copy of a copy is named after the first tenant. */
export function forkName(
  externalId: string,
  { number, isQuiet }: { readonly number: number; readonly isQuiet: boolean },
): string {
  const ending = `~${isQuiet ? 'fork' : 'copy'}-${number}`;
  return externalId.replace(copied, '').slice(0, longestId - ending.length) + ending;
}

/**
 * Whether webhooks and mails about this tenant are kept back. Only the sandbox asks: elsewhere an external id means
 * nothing to us. The name says it, so that publishing needs no further statement.
 */
export function isQuietFork(externalId: string | null): boolean {
  return externalId !== null && quiet.test(externalId);
}
