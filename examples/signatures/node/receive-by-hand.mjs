import express from 'express';
import { verify } from './signatures.mjs';

const app = express();
const secret = process.env.SVC_WEBHOOK_SECRET;

// Above any express.json(): the signature covers the raw bytes.
app.post('/webhooks/svc', express.raw({ type: '*/*' }), (request, response) => {
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
    request.get(`webhook-${name}`),
  );
  const genuine = verify(request.body, id, timestamp, signature, secret, Date.now() / 1000);
  if (!genuine) return response.sendStatus(400);
  response.sendStatus(204); // Respond first; do the work afterwards.
  const event = JSON.parse(request.body);
  console.log(id, event.type); // Retries keep the id: skip ids you have processed.
});

app.listen(3000);
