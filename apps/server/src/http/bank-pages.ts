import { defaultLocale, type Locale, localeOf } from '@svc/contract/locales';
import type { Queryable } from '@svc/db';
import type { Clock } from '@svc/runtime';
import type { Service } from '../context.ts';
import { bankPageCall, recordCall } from '../domain/forks/recorded-calls.ts';
import { returnPath } from '../domain/payments/processor.ts';
import type { Simulator } from '../domain/payments/simulator.ts';
import { bankPath } from '../processors/simulator/bank-visits.ts';
import type { App, Reply, Request } from './app.ts';
import { bankPage, bankPageExpired, localeParam } from './pages/bank-page.ts';

interface Deps {
  readonly db: Queryable;
  readonly clock: Clock;
  readonly service: Pick<Service, 'creditor' | 'vault'>;
  readonly simulator: Simulator;
  send(reply: Reply, html: string): Reply;
}

const longestBody = 1_000;

/**
 * Adds the pages of the simulated banks. Their address holds a reference that cannot be guessed, as
 * at a real bank, so no session is needed.
 */
export function addBankPages(app: App, { db, clock, service, simulator, send }: Deps): void {
  const refOf = (request: Request) => (request.params as { ref: string }).ref;
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: longestBody },
      async (_: Request, body: string) => new URLSearchParams(body),
    );
    scope.get(`${bankPath}/:ref`, async (request, reply) => {
      const visit = await simulator.findVisit(refOf(request), clock.now());
      const locale = localeOfRequest(request);
      if (!visit?.isOpen) return send(reply.code(404), bankPageExpired(locale));
      return send(reply, bankPage(visit, service.creditor.name, locale));
    });
    scope.post(`${bankPath}/:ref`, async (request, reply) => {
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      const account = form.get('account');
      const expired = bankPageExpired(localeOfRequest(request));
      if (account === null && !form.has('cancel')) return send(reply.code(400), expired);
      const ended = await simulator.endVisit(refOf(request), account, clock.now());
      if (!ended) return send(reply.code(404), expired);
      await db.run(
        recordCall(service, {
          call: bankPageCall,
          at: null,
          now: clock.now(),
          actor: { kind: 'tenant', ...ended },
          params: null,
          body: { account },
          result: null,
          refused: null,
        }),
      );
      return reply.redirect(returnPath, 303);
    });
  });
}

/** The language from the page's switch, or the first of the browser's languages that we have. */
function localeOfRequest({ query, headers }: Request): Locale {
  const chosen = (query as Record<string, unknown>)[localeParam];
  if (typeof chosen === 'string') return localeOf(chosen) ?? defaultLocale;
  const tags = (headers['accept-language'] ?? '').split(',');
  for (const tag of tags) {
    const locale = localeOf((tag.split(';')[0] ?? '').trim());
    if (locale !== null) return locale;
  }
  return defaultLocale;
}
