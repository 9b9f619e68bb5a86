import fc from 'fast-check';
import { expect, test } from 'vitest';
import { generateRequests } from './generate-requests.ts';
import { useService } from './harness.ts';
import { everyState } from './scenario-tenant.ts';

const runs = Number(process.env.SVC_REQUEST_RUNS ?? 300);
const seed = Number(process.env.SVC_REQUEST_SEED ?? 20_261_122);
/** The number of requests after which most tenants are reset or blocked, so that new ones are prepared. */
const runsPerTenants = 50;
/** Each batch has tenants in this many other states, so 300 requests meet each scenario. */
const statesPerBatch = 3;

const svc = await useService();
const { requests, prepareTenants, send, requireNoFault } = await generateRequests(svc);

test(`no documented request is answered with a 500, seed ${seed}`, {
  timeout: 60_000 + runs * 300,
}, async () => {
  const drawnRoutes = new Set<string>();
  const accepted = new Set<string>();
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.oneof(...(await requests())), async (drawn) => {
      if (count % runsPerTenants === 0) {
        const from = ((count / runsPerTenants) * statesPerBatch) % everyState.length;
        await prepareTenants(String(count), everyState.slice(from, from + statesPerBatch));
      }
      count += 1;
      const answer = await send(drawn);
      requireNoFault(drawn, answer);
      const route = `${drawn.method} ${drawn.path}`;
      drawnRoutes.add(route);
      if (answer.status === 200) accepted.add(route);
      svc.clock.advance(200);
    }),
    { numRuns: runs, seed },
  );
  // No job failed later because of an accepted value.
  const errors = svc.lines.filter((line) => line.includes('"level":50'));
  expect(errors.filter((line) => !/timeout/.test(line))).toEqual([]);
  // Guards against a generator whose requests all fail validation.
  expect(accepted.size).toBeGreaterThan(drawnRoutes.size / 2);
});
