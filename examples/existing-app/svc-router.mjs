// #region router
import { SvcClient, signWidget, verifyWebhook, WebhookVerificationError } from '@svc/node';
import express from 'express';

const {
  SVC_API_KEY: apiKey = '',
  SVC_PMS: pms = '',
  SVC_WEBHOOK_SECRET: secret = '',
} = process.env;
const baseUrl = 'http://localhost:4000/v1';
const svc = new SvcClient({ apiKey, baseUrl });

/** Mount it before express.json(), because a webhook is verified with the raw body. */
export function svcRouter({ currentTenant, knowsTenant, handledIds, debit }) {
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

  router.post('/webhooks', express.raw({ type: '*/*' }), async (request, response) => {
    let event;
    try {
      event = verifyWebhook(request.body, request.headers, secret);
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      response.status(400).send(error.message); // says what to check
      return;
    }
    const isReal = !event.test && !event.custom && (await knowsTenant(event.external_id));
    if (isReal && event.type === 'settlement.created' && !(await handledIds.has(event.id))) {
      const { settlement_id, amount_in_cents } = event.data;
      const transactionId = await debit(settlement_id, amount_in_cents);
      await svc.settlements.update(settlement_id, {
        status: 'unverified', // sent; report `verified` when the money has arrived
        processor_transaction_id: transactionId,
      });
      await handledIds.add(event.id);
    }
    response.sendStatus(204);
  });

  return router;
}
// #endregion
