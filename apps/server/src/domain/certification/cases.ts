import { serviceCaseNames } from '@svc/contract';
import type { CertificationCase } from './case.ts';
import { deliveryCases } from './delivery-cases.ts';
import { lifeCases } from './life-cases.ts';
import { moneyCases } from './money-cases.ts';
import { receiverCases } from './receiver-cases.ts';

const listed = [...receiverCases, ...deliveryCases, ...lifeCases, ...moneyCases];

/** Every case that the service runs, in the order of the contract's names. */
export const certificationCases: readonly CertificationCase[] = serviceCaseNames.map((name) => {
  const found = listed.find((it) => it.name === name);
  if (!found) throw new Error(`The case ${name} is not listed.`);
  return found;
});
