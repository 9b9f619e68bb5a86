// #region app
import { SvcClient, signWidget, verifyWebhook, WebhookVerificationError } from '@svc/node';
import express from 'express';

const {
  SVC_API_KEY: apiKey = '',
  SVC_PMS: pms = '',
  SVC_WEBHOOK_SECRET: secret = '',
} = process.env;
const svc = new SvcClient({ apiKey, baseUrl: 'http://localhost:4000/v1' });
const tenant = { id: 't-100', balance: 152012 }; // cents; replace with your signed-in tenant
const app = express();
// #endregion

// #region signature
app.get('/widget-settings', async (_request, response) => {
  const signature = await signWidget({ apiKey, pms, externalId: tenant.id });
  response.json({ pms, externalId: tenant.id, balance: tenant.balance, signature });
});
// #endregion

// #region token
app.post('/tenant-token', async (_request, response) => {
  const { token, warnings } = await svc.portalInfo(tenant.id, {
    first_name: 'Ada',
    last_name: 'Lane',
    email: 'ada@example.com',
    charges: [
      {
        id: 'C-1',
        due_date: new Date().toISOString().slice(0, 10),
        amount_in_cents: tenant.balance,
      },
    ],
  });
  for (const { message } of warnings) console.warn(message);
  response.json({ token });
});
// #endregion

// #region webhook
app.post('/svc-webhooks', express.raw({ type: '*/*' }), (request, response) => {
  try {
    const event = verifyWebhook(request.body, request.headers, secret);
    if (event.type === 'settlement.created') console.log(event.data.settlement_id);
    response.sendStatus(204); // store event.id, and skip the ones that you have
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.status(400).send(error.message); // says what to check
  }
});
// #endregion

app.listen(3000);
