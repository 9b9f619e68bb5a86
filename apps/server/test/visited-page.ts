import type { Called, CallOptions } from './harness.ts';

interface Caller {
  call(method: string, path: string, options?: CallOptions): Promise<Called>;
}

/** Returns the URL of the bank's or the processor's page to which our page at `url` leads. */
export async function visitedPage(svc: Caller, url: string): Promise<string> {
  const visit = new URL(url).hash.slice(1);
  return (await svc.call('POST', '/experience/visit', { body: { visit } })).data.url;
}
