const timeoutMs = 5_000;

/**
 * Asks the origin for `/livez`, as a load balancer does. Resolves with a sentence that says so.
 * @throws Error with one sentence for the operator
 */
export async function checkOrigin(origin: string): Promise<string> {
  const url = `${origin}/livez`;
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(url, { redirect: 'manual', signal }).catch((error: unknown) => {
    throw new Error(`${url} cannot be reached (${reasonOf(error)}). ${whatToCheck}`);
  });
  const text = await response.text();
  if (response.status !== 200) {
    throw new Error(`${url} answers ${response.status}. ${whatToCheck}`);
  }
  if (text !== 'ok\n') throw new Error(`${url} is answered by another program. ${whatToCheck}`);
  return `${url} is answered by the service`;
}

const whatToCheck =
  'Check that the service runs, that the proxy leads to it, and SVC_PUBLIC_ORIGIN.';

/** `fetch` hides why it failed in the cause. */
function reasonOf(error: unknown): string {
  const { name, message, cause } = error as Error & { cause?: NodeJS.ErrnoException };
  if (name === 'TimeoutError') return `no answer in ${timeoutMs / 1_000} s`;
  return cause?.code ?? cause?.message ?? message;
}
