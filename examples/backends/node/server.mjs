// #region app
import { SvcClient, signWidget, verifyWebhook, WebhookVerificationError } from '@svc/node';
import express from 'express';

const {
  SVC_API_KEY: apiKey = '',
  SVC_PMS: pms = '',
  SVC_WEBHOOK_SECRET: secret = '',
} = process.env;
const baseUrl = 'http://localhost:4000/v1';
const svc = new SvcClient({ apiKey, baseUrl });
const tenant = { id: 't-100', balance: 152012 }; // cents; replace with your signed-in tenant
const app = express();
// #endregion

// #region signature
app.get('/api/svc/settings', async (_request, response) => {
  const signature = await signWidget({ apiKey, pms, externalId: tenant.id });
  response.json({
    pms,
    externalId: tenant.id,
    balance: tenant.balance,
    signature,
    environment: 'sandbox',
    baseUrl,
  });
});
// #endregion

// #region token
app.post('/api/svc/token', async (_request, response) => {
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
app.post('/api/svc/webhooks', express.raw({ type: '*/*' }), (request, response) => {
  try {
    const event = verifyWebhook(request.body, request.headers, secret);
    if (event.type === 'settlement.created' && !event.test && !event.custom) {
      console.log(event.data.settlement_id); // debit it; skip an event.id that you have stored
    }
    response.sendStatus(204);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.status(400).send(error.message); // says what to check
  }
});

app.listen(3000);
// #endregion
