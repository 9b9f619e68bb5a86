import type { Reply, Request } from '../app.ts';

const twoHours = '7200';

/** Allows any origin: a preflight has no body that names the partner, so the POST itself checks the origin. */
export function answerPreflight(request: Request, reply: Reply): void {
  allowOrigin(request, reply);
  reply
    .header('access-control-allow-methods', 'POST')
    .header('access-control-allow-headers', 'content-type')
    .header('access-control-max-age', twoHours)
    .code(204)
    .send();
}

/**
 * Lets a browser send a call with an API key to another origin. The only purpose is that its page can read the
 * refusal `browser_call`: without it, the developer sees a CORS error and no reason. Cookies are left out:
 * nothing here allows credentials, so the browser does not send them after this preflight.
 */
export function answerKeyPreflight(
  request: Request,
  reply: Reply,
  methods: readonly string[],
  moreHeaders: readonly string[] = [],
): void {
  allowOrigin(request, reply);
  const headers = ['authorization', 'content-type', 'idempotency-key', ...moreHeaders];
  reply
    .header('access-control-allow-methods', methods.join(', '))
    .header('access-control-allow-headers', headers.join(', '))
    .header('access-control-max-age', twoHours)
    .code(204)
    .send();
}

/** Lets the origin's pages read the response. Needed for refusals, too: a page would see only a network error. */
export function allowOrigin(request: Request, reply: Reply): void {
  reply.header('vary', 'Origin');
  const { origin } = request.headers;
  if (origin === undefined) return;
  reply
    .header('access-control-allow-origin', origin)
    .header('access-control-expose-headers', 'X-Request-Id, Retry-After');
}
