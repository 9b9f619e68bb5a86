import type { Database } from '@svc/db';
import type { Clock } from '../clock.ts';
import type { Log, Service } from '../context.ts';
import {
  claimReviews,
  concludeReview,
  type Review,
  recordReviewFailure,
} from '../domain/applications/review.ts';
import type { DecisionService } from '../outside/decision-service.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import { type Repeating, repeat } from './repeat.ts';

// A tenant waits for it.
const everyMs = 1_000;
const batch = 10;

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly service: Service;
  readonly decisions: DecisionService;
}

export function startAsking(deps: Deps): Repeating {
  return repeat({ ...deps, everyMs, name: 'underwriting', turn: () => askForDecisions(deps) });
}

/** Asks for every decision that is due, outside of any transaction. Answers how many there are. */
export async function askForDecisions(deps: Deps): Promise<number> {
  const { db, clock } = deps;
  const claim = () =>
    db.transaction((tx) => claimReviews({ tx, now: clock.now() }, { limit: batch }));
  let decided = 0;
  for (;;) {
    const reviews = await claim();
    const results = await Promise.all(reviews.map((review) => decide(deps, review)));
    decided += results.filter(Boolean).length;
    if (reviews.length < batch) return decided;
  }
}

async function decide(deps: Deps, review: Review): Promise<boolean> {
  const { db, clock, log, service, decisions } = deps;
  const asked = await decisions.ask({ id: review.applicationId, body: question(service, review) });
  if ('failure' in asked) {
    const { failure } = asked;
    const about = { application_id: review.applicationId, attempt: review.attempts, failure };
    log.warn(about, 'decision service gave no decision; asked again later');
    await db.transaction((tx) => recordReviewFailure(tx, review, failure));
    return false;
  }
  return runUnitOfWork(deps, clock.now(), (uow) => concludeReview(uow, review, asked.answer));
}

function question({ environment }: Service, review: Review): string {
  return JSON.stringify({
    environment,
    pms: review.pms,
    external_id: review.externalId,
    application_id: review.applicationId,
    rent_cycle_date: review.rentCycleDate,
    product_variant: review.productVariant,
    facts: review.facts,
  });
}
