import type { Database } from '@svc/db';
import type { Clock, Log } from '@svc/runtime';
import type { Service } from '../context.ts';
import {
  claimReviews,
  concludeReview,
  type Review,
  recordReviewFailure,
} from '../domain/applications/review.ts';
import { identityOf } from '../domain/underwriting/identity.ts';
import type { DecisionService } from '../outside/decision-service.ts';
import { runUnitOfWork } from '../unit-of-work.ts';
import type { Lane } from './lane.ts';

// A tenant waits for the decision.
const everyMs = 1_000;
const batchSize = 10;

interface Deps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly service: Service;
  readonly decisions: DecisionService;
}

export function decisionsLane(deps: Deps): Lane {
  return { name: 'decisions', everyMs, batch: () => askForDecisions(deps) };
}

/** Asks for the decisions that are due, outside of any transaction. Returns how many it asked for. */
async function askForDecisions(deps: Deps): Promise<number> {
  const { db, clock } = deps;
  const reviews = await db.transaction((tx) =>
    claimReviews({ tx, now: clock.now() }, { limit: batchSize }),
  );
  await Promise.all(reviews.map((review) => decideReview(deps, review)));
  return reviews.length;
}

async function decideReview(deps: Deps, review: Review): Promise<void> {
  const { db, clock, log, service, decisions } = deps;
  const asked = await decisions.ask({ id: review.applicationId, body: question(service, review) });
  const concluded =
    'failure' in asked
      ? undefined
      : await runUnitOfWork(deps, clock.now(), (uow) => concludeReview(uow, review, asked.answer));
  if (concluded !== undefined && concluded !== 'not_looked_up') return;
  const failure = 'failure' in asked ? asked.failure : noLookup;
  const logFields = { application_id: review.applicationId, attempt: review.attempts, failure };
  log.warn(logFields, 'decision service gave no decision; trying again later');
  await db.transaction((tx) => recordReviewFailure(tx, review, failure));
}

const noLookup =
  'the answer is not a valid decision (military_covered: must be true or false in an approval)';

// A later release may add fields. Another number means that the meaning of a field has changed.
const questionVersion = 1;

function question({ environment, vault, decisionFields }: Service, review: Review): string {
  return JSON.stringify({
    version: questionVersion,
    environment,
    pms: review.pms,
    external_id: review.externalId,
    application_id: review.applicationId,
    rent_cycle_date: review.rentCycleDate,
    product_variant: review.productVariant,
    facts: review.facts,
    identity: identityOf(vault, decisionFields, review),
  });
}
