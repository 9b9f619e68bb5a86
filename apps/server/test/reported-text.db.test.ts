import { expect, test } from 'vitest';
import { ada, useService } from './harness.ts';
import { playTenant } from './journeys/play-tenant.ts';

const svc = await useService();

test('reported text cannot turn the experience or the agreement around', async () => {
  const { pms, key } = await svc.newPartner();
  await svc.call('POST', '/simulation/t-1/set_underwriting_result', {
    key,
    body: { underwriting_result: 'WILL_BE_APPROVED', rent_cycle_date: '2026-02-01' },
  });
  const { data } = await svc.call('POST', '/tenant/portal_info/t-1', {
    key,
    body: {
      ...ada,
      first_name: 'Ada\u202e',
      last_name: 'محمد',
      lease: {
        ...ada.lease,
        property: { ...ada.lease.property, name: 'برج النخيل', line1: '1 Elm St' },
      },
      charges: ada.charges.map((it) => ({ ...it, description: 'إيجار\u202e فبراير' })),
    },
  });
  const who = { pms, apiKey: key, externalId: 't-1', productVariant: 'rent' } as const;
  const tenant = await playTenant(svc, data.token, who);
  const { data: state } = await tenant.state();
  expect(state.tenant).toMatchObject({
    first_name: 'Ada',
    property_name: '\u2068برج النخيل\u2069',
  });
  const descriptions = state.charges.map((it: { description: string }) => it.description);
  expect(new Set(descriptions)).toEqual(new Set(['\u2068إيجار فبراير\u2069']));
  await tenant.apply();
  await tenant.pay();
  const { items } = (await tenant.quotes()).data;
  const agreement = JSON.stringify(items[0].disclosure);
  expect(agreement).toContain('\u2068Ada محمد\u2069');
  expect(agreement).toContain('Home: \u2068برج النخيل\u2069, 1 Elm St');
  expect(agreement).not.toContain('\u202e');
  // The portal gets its own text back.
  const reported = await svc.call('GET', '/tenants/t-1', { key });
  expect(JSON.stringify(reported.data)).not.toMatch(/[\u2068\u2069]/);
});
