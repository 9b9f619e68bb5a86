import type { certificationAreas, EventType, ServiceCaseName } from '@svc/contract';
import type { Finding } from './finding.ts';
import type { Stage } from './stage.ts';

/**
 * One case of the certification. `run` reads like the story that it plays: it makes tenants, delivers their
 * webhooks, and returns what it found. A verb of the stage that finds a mistake ends the case with it.
 *
 * To add a case: add its name to the contract's `serviceCaseNames`, write it in the file of its area, and list it
 * in `cases.ts`. The test of the broken receivers (apps/server/test/certify.db.test.ts) shows that it finds the
 * mistake that it is about.
 */
export interface CertificationCase {
  readonly name: ServiceCaseName;
  readonly area: Exclude<(typeof certificationAreas)[number], 'page'>;
  /** The correct behavior, for people: `A repeated webhook is handled once`. */
  readonly title: string;
  /** The page of the docs about it, as a path. */
  readonly docs: string;
  /** The event type without which the case makes no sense. Endpoints that do not get it skip the case. */
  readonly needs?: EventType;
  /** True if the case depends on the partner's debits, so that it is skipped for portals that get payouts. */
  readonly needsDebits?: true;
  run(stage: Stage): Promise<Finding>;
}
