import { ada, type Running } from '../harness.ts';
import { playTenant, testAccount } from './play-tenant.ts';

export type Partner = Awaited<ReturnType<Running['newPartner']>>;

interface Options {
  account?: object;
  locale?: 'en' | 'es';
  /** Due on 2026-02-01. */
  charges?: readonly object[];
  /** How often the tenant reads the quotes again after `quote_not_found`, as the experience does. */
  tries?: number;
  /** The answer about electronic records: null for paper, undefined if the page does not ask. */
  records?: null | undefined;
}

/** Creates a tenant with a new plan of four payments, on 2026-02-01 at noon in Chicago. */
export async function withPlan(
  svc: Pick<Running, 'call'>,
  partner: Partner,
  externalId: string,
  options: Options = {},
) {
  const { account = testAccount, locale, charges = ada.charges, tries = 1 } = options;
  const { key, pms } = partner;
  const simulate = (call: string, body: object = {}) =>
    svc.call('POST', `/simulation/${encodeURIComponent(externalId)}/${call}`, { key, body });
  await simulate('set_underwriting_result', {
    underwriting_result: 'WILL_BE_APPROVED',
    rent_cycle_date: '2026-02-01',
  });
  const info = await svc.call('POST', `/tenant/portal_info/${encodeURIComponent(externalId)}`, {
    key,
    body: { ...ada, charges },
  });
  const who = { pms, apiKey: key, externalId, productVariant: 'rent' as const };
  const tenant = await playTenant(svc, info.data.token, who);
  await tenant.apply(500_000, {}, 'records' in options ? options : undefined);
  await tenant.pay(account);
  const accept = async () => {
    const { items } = (await tenant.quotes()).data;
    return tenant.accept(items.at(-1), locale ? { locale } : {});
  };
  let accepted = await accept();
  for (let tried = 1; tried < tries && accepted.error?.code === 'quote_not_found'; tried += 1) {
    accepted = await accept();
  }
  const { plan } = (await tenant.state()).data;
  // Tests in which the first payment fails have no plan.
  if (!plan && !accepted.data?.failure) throw new Error(`no plan: ${JSON.stringify(accepted)}`);
  const headers = { authorization: `Bearer ${tenant.exchanged.data.session}` };
  const change = (verb: string, body: object) =>
    svc.call('POST', `/experience/plan/${plan.id}/${verb}`, { body, headers });
  const read = async () => (await svc.call('GET', `/plans/${plan.id}`, { key })).data;
  /** The plan as the experience shows it, also after it has ended. */
  const ownPlan = () => svc.call('GET', `/experience/plan/${plan.id}`, { headers });
  return { ...tenant, externalId, accepted, simulate, change, plan, read, ownPlan };
}
