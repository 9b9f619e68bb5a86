import type { Called, CallOptions } from './harness.ts';

interface Caller {
  call(method: string, path: string, options?: CallOptions): Promise<Called>;
}

/** The page of the bank or the processor that our page at `url` leads to. */
export async function visitedPage(svc: Caller, url: string): Promise<string> {
  const visit = new URL(url).hash.slice(1);
  return (await svc.call('POST', '/experience/visit', { body: { visit } })).data.url;
}
