import type { App, Reply, Request } from './app.ts';
import type { LoadLimit } from './edge/limit-load.ts';

interface SignedPost {
  readonly request: Request;
  readonly raw: Buffer;
  readonly reply: Reply;
}

/**
 * Adds a route whose caller is authenticated by a signature over what it sends. The bytes are not parsed
 * before it is checked.
 */
export function addSignedPost(
  app: App,
  { path, load }: { readonly path: string; readonly load: LoadLimit },
  handle: (post: SignedPost) => Promise<unknown>,
): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_: Request, raw: Buffer) => raw);
    scope.post(path, async (request, reply) => {
      load.check(path);
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      return handle({ request, raw, reply });
    });
  });
}
