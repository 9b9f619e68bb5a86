// #region router
import { SvcClient, signWidget, webhookHandler } from '@svc/node';
import express from 'express';

const {
  SVC_API_KEY: apiKey = '',
  SVC_PMS: pms = '',
  SVC_WEBHOOK_SECRET: secret = '',
} = process.env;
const baseUrl = 'http://localhost:4000/v1';
const svc = new SvcClient({ apiKey, baseUrl });

/** Mount it before express.json(), because a webhook is verified with the raw body. */
export function svcRouter({ currentTenant, knowsTenant, handledIds, debit, credit }) {
  const router = express.Router();

  router.get('/settings', async (request, response) => {
    const { id, balance } = await currentTenant(request);
    const signature = await signWidget({ apiKey, pms, externalId: id });
    response.json({ pms, externalId: id, balance, signature, environment: 'sandbox', baseUrl });
  });

  router.post('/token', async (request, response) => {
    const { id, profile, openCharges } = await currentTenant(request);
    const { token, warnings } = await svc.portalInfo(id, { ...profile, charges: openCharges });
    for (const { message } of warnings) console.warn(message);
    response.json({ token });
  });

  const webhooks = webhookHandler(
    {
      async 'settlement.created'({ id, external_id, data }) {
        if (!(await knowsTenant(external_id)) || (await handledIds.has(id))) return;
        const { settlement_id, amount_in_cents, charges_and_amounts_paid } = data;
        const { transactionId, arrived } = await debit(settlement_id, amount_in_cents);
        await svc.settlements.update(settlement_id, {
          status: arrived ? 'verified' : 'unverified', // sent; report `verified` when it arrives
          processor_transaction_id: transactionId,
        });
        // With the next line in one transaction of yours.
        await credit(external_id, charges_and_amounts_paid);
        await handledIds.add(id);
      },
    },
    { secret },
  );
  router.post('/webhooks', webhooks.node);

  return router;
}
// #endregion
