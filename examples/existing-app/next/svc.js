// #region svc
import { SvcClient, signWidget, webhookHandler } from '@svc/node';
import { credit, currentTenant, debit, handledIds, knowsTenant } from './portal';

const baseUrl = 'http://localhost:4000/v1';
// Read with each request: a build may have no settings.
const settings = () => ({
  apiKey: process.env.SVC_API_KEY ?? '',
  pms: process.env.SVC_PMS ?? '',
  secret: process.env.SVC_WEBHOOK_SECRET ?? '',
});
const client = () => new SvcClient({ apiKey: settings().apiKey, baseUrl });

export async function showSettings(request) {
  const { apiKey, pms } = settings();
  const { id, balance } = await currentTenant(request);
  const signature = await signWidget({ apiKey, pms, externalId: id });
  return Response.json({
    pms,
    externalId: id,
    balance,
    signature,
    environment: 'sandbox',
    baseUrl,
  });
}

export async function createToken(request) {
  const { id, profile, openCharges } = await currentTenant(request);
  const { token, warnings } = await client().portalInfo(id, { ...profile, charges: openCharges });
  for (const { message } of warnings) console.warn(message);
  return Response.json({ token });
}

export const webhooks = webhookHandler(
  {
    async 'settlement.created'({ id, external_id, data }) {
      if (!(await knowsTenant(external_id)) || (await handledIds.has(id))) return;
      const { settlement_id, amount_in_cents, charges_and_amounts_paid } = data;
      const { transactionId, arrived } = await debit(settlement_id, amount_in_cents);
      await client().settlements.update(settlement_id, {
        status: arrived ? 'verified' : 'unverified', // sent; report `verified` when it arrives
        processor_transaction_id: transactionId,
      });
      // With the next line in one transaction of yours.
      await credit(external_id, charges_and_amounts_paid);
      await handledIds.add(id);
    },
  },
  { secret: () => settings().secret },
);
// #endregion
