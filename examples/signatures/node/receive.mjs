import express from 'express';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.SVC_WEBHOOK_SECRET);
const app = express();

// Above any express.json(): the signature covers the raw bytes.
app.post('/webhooks/svc', express.raw({ type: '*/*' }), (request, response) => {
  let event;
  try {
    event = webhook.verify(request.body, request.headers);
  } catch (error) {
    return response.status(400).type('text').send(error.message); // The console shows it.
  }
  response.sendStatus(204); // Respond within 15 seconds; do the work afterwards.
  console.log(event.id, event.type); // Retries keep the id: skip ids you have processed.
});

app.listen(3000);
