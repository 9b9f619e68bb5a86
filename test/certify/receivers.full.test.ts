import { serviceCaseNames } from '@svc/contract';
import { expect, test } from 'vitest';
import { mutations } from './mutations.ts';
import { type CertifiedPortal, problemsOf, usePortals } from './proof.ts';

// Proves that a certification finds what is wrong with a receiver, and finds nothing wrong with a correct one.
// `npm run certify:proof` runs every case against every portal; otherwise only those that its mistake concerns.
const runsAll = process.env.SVC_CERTIFY_ALL === '1';

type ServiceCase = (typeof serviceCaseNames)[number];
const isServiceCase = (name: string): name is ServiceCase =>
  (serviceCaseNames as readonly string[]).includes(name);

const openPortal = usePortals();

async function runCases({ svc, url }: CertifiedPortal, names: readonly ServiceCase[]) {
  const { id } = await svc.certifications.start({
    tenant_query_url: `${url}/tenant`,
    anyway: true,
  });
  for (const name of names) await svc.certifications.runCase(id, name);
  return problemsOf((await svc.certifications.finish(id)).cases, names);
}

test.for(['portal.mjs', 'portal.py', 'portal.go', 'portal.php', 'next'] as const)(
  'nothing is wrong with %s',
  { timeout: 300_000 },
  async (name, { skip }) => {
    const portal = await openPortal({ portal: name, replace: [] }, skip);
    expect(await runCases(portal, serviceCaseNames)).toEqual([]);
  },
);

const ofReceivers = mutations.filter(({ cases: [first = ''] }) => isServiceCase(first));
test.for(ofReceivers)('a portal that $name', { timeout: 300_000 }, async (mutation, { skip }) => {
  const concerned = mutation.cases.filter(isServiceCase);
  const names = runsAll ? serviceCaseNames : [...new Set(['handshake' as const, ...concerned])];
  expect(await runCases(await openPortal(mutation, skip), names)).toContainEqual(
    expect.objectContaining({
      name: concerned[0],
      cause: expect.stringMatching(mutation.cause),
    }),
  );
});
