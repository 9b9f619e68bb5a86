import type { Log } from '@svc/runtime';
import { Refusal } from '../domain/refusal.ts';
import { receiveText } from '../domain/texts/receive-text.ts';
import { recordStatus } from '../domain/texts/record-texts.ts';
import { type TextWebhook, textWebhookPath } from '../domain/texts/text-sender.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import type { App, Request } from './app.ts';
import type { Commands } from './command.ts';
import { clientOf } from './edge/client-of.ts';
import type { LoadLimit } from './edge/limit-load.ts';
import type { RateLimits } from './edge/rate-limit.ts';
import { addSignedPost } from './signed-post.ts';

interface Limits {
  readonly limits: RateLimits;
  readonly load: LoadLimit;
}

/**
 * Adds the route to which the provider of text messages posts replies and the status of our texts. A signature
 * over our public address and the fields authenticates it.
 */
export function addTextWebhooks(
  app: App,
  deps: Commands & { readonly log: Log },
  { limits, load }: Limits,
): void {
  const { clock, service } = deps;
  addSignedPost(app, { path: textWebhookPath, load }, async ({ request, raw, reply }) => {
    const { texts } = service;
    if (!texts) throw new Refusal('not_found');
    const webhook = texts.sender.readWebhook({
      // The provider signs the public address in its settings, even if a proxy has changed the address since.
      url: service.publicOrigin + request.url,
      headers: request.headers,
      body: raw.toString('utf8'),
    });
    if (!webhook) {
      limits.failures.take(clientOf(request.ip));
      reply.code(403).type('text/plain; charset=utf-8');
      return reply.send('The signature is wrong.\n');
    }
    const answer = await load.run(textWebhookPath, () => receive(deps, request, webhook));
    const { type, body } = texts.sender.answer(answer);
    return reply.type(type).send(body);
  });

  function receive({ log }: typeof deps, request: Request, webhook: TextWebhook) {
    return runUnitOfWork(deps, clock.now(), async (uow) => {
      if (webhook.kind === 'status') {
        const { partner = '', text = '' } = request.query as Partial<Record<string, string>>;
        await recordStatus(uow, { partnerId: partner, id: text }, webhook);
        return null;
      }
      const { meaning, answer } = await receiveText(uow, webhook);
      log.info({ meaning }, 'text received');
      return answer;
    });
  }
}
