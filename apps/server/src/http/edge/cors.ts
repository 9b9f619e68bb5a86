import type { Reply, Request } from '../app.ts';

const twoHours = '7200';

/** The preflight has no body, so it cannot know the partner: any origin, and the POST decides. */
export function answerPreflight(request: Request, reply: Reply): void {
  allowOrigin(request, reply);
  reply
    .header('access-control-allow-methods', 'POST')
    .header('access-control-allow-headers', 'content-type')
    .header('access-control-max-age', twoHours)
    .code(204)
    .send();
}

/** On refusals too, else a page can't tell one from a failed network. */
export function allowOrigin(request: Request, reply: Reply): void {
  reply.header('vary', 'Origin');
  const { origin } = request.headers;
  if (origin === undefined) return;
  reply
    .header('access-control-allow-origin', origin)
    .header('access-control-expose-headers', 'X-Request-Id, Retry-After');
}
