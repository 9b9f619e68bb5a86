import { signWidget } from '@svc/node';
import { readState } from '../../apps/server/src/domain/intake/read-state.ts';
import { recordPortalInfo } from '../../apps/server/src/domain/intake/record-portal-info.ts';
import { widgetSession } from '../../apps/server/src/domain/intake/widget-session.ts';
import { readingTx } from '../../apps/server/src/http/query.ts';
import { context, readOnly, runCommand, type Stage } from '../domain/setup.ts';
import { portalInfo, splitRent } from '../domain/split-rent.ts';

const dueDate = '2026-02-01';
const now = new Date('2026-02-01T12:00:00Z');

/** Runs a call under its name, for example to measure it. */
export type Around = <T>(name: string, call: () => Promise<T>) => Promise<T>;

/** Lets a new tenant split the rent. Returns the calls that each later visit makes, by name. */
export async function playNewTenant(
  stage: Stage,
  externalId: string,
  around: Around,
): Promise<ReadonlyMap<string, () => Promise<unknown>>> {
  const { db, partner, apiKey } = stage;
  const tenantId = await splitRent(stage, externalId, {
    dueDate,
    now,
    around: (name, call) =>
      around(name === 'portal_info' ? 'portal_info of a new tenant' : name, call),
  });
  const { partnerId, pms } = partner;
  const tenant = {
    kind: 'tenant',
    partnerId,
    pms,
    tenantId,
    productVariant: 'rent',
    sessionId: 'xps_bench',
    access: 'full',
  } as const;
  const signature = await signWidget({ apiKey, pms, externalId });
  const input = { pms, external_id: externalId, signature, product_variant: 'rent' } as const;
  const info = { external_id: externalId, input: portalInfo(dueDate), dry_run: false };
  const reading = () => readOnly(db, readingTx(db), now);
  return new Map<string, () => Promise<unknown>>([
    ['portal_info', () => runCommand(db, now, partner, (ctx) => recordPortalInfo(ctx, info))],
    ['widget session', () => widgetSession(context(reading(), partner), { input, origin: null })],
    ['experience state', () => readState(context(reading(), tenant))],
  ]);
}

/**
 * Lets callers that make the same calls take each step together: a call waits until `count` callers have
 * reached it, and then `measure` runs all of them at once.
 */
export function inStep(
  count: number,
  measure: (name: string, work: () => Promise<unknown>) => Promise<void>,
): Around {
  let waiting: { call(): Promise<void>; proceed(): void }[] = [];
  return (name, call) =>
    new Promise((resolve, reject) => {
      let proceed = () => {};
      const run = async () => {
        try {
          const result = await call();
          proceed = () => resolve(result);
        } catch (error) {
          proceed = () => reject(error);
        }
      };
      waiting.push({ call: run, proceed: () => proceed() });
      if (waiting.length < count) return;
      const batch = waiting;
      waiting = [];
      void measure(name, () => Promise.all(batch.map((it) => it.call()))).then(() => {
        for (const it of batch) it.proceed();
      });
    });
}
