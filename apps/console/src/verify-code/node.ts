import { type Language, quote } from './language.ts';

const verify = `function verify(raw, id, timestamp, signature, secret, now) {
  if (!id || !signature || !/^\\d+$/.test(timestamp ?? "")) return false;
  if (Math.abs(now - Number(timestamp)) > 300) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const expected = createHmac("sha256", key).update(id + "." + timestamp + ".").update(raw).digest();
  // During a rotation there is one entry per active secret; one match is enough.
  return signature.split(" ").some((entry) => {
    const given = Buffer.from(entry.startsWith("v1,") ? entry.slice(3) : "", "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}`;

export const node: Language = {
  name: 'Node',
  libraries: [
    {
      name: 'Standard Webhooks',
      install: 'npm install standardwebhooks express',
      file: 'webhooks.mjs',
      needs: 'Express 5.',
      code: (path) => `import express from "express";
import { Webhook } from "standardwebhooks";

const webhook = new Webhook(process.env.SVC_WEBHOOK_SECRET);
const app = express();

// Above any express.json(): the signature covers the raw bytes.
app.post(${quote(path)}, express.raw({ type: "*/*" }), (request, response) => {
  let event;
  try {
    event = webhook.verify(request.body, request.headers);
  } catch (error) {
    return response.status(400).type("text").send(error.message); // Shown in this console.
  }
  response.sendStatus(204); // Respond within 15 seconds; do the work afterwards.
  console.log(event.id, event.type); // Retries keep the id: skip ids you have processed.
});

app.listen(3000);
`,
    },
    {
      name: '@svc/node',
      install: 'npm install express',
      file: 'webhooks.mjs',
      needs:
        'Express 5, and @svc/node from /sdk of this service. Its errors explain what to check, and its events are typed.',
      code: (path) => `import { verifyWebhook } from "@svc/node";
import express from "express";

const app = express();

// Above any express.json(): the signature covers the raw bytes.
app.post(${quote(path)}, express.raw({ type: "*/*" }), (request, response) => {
  let event;
  try {
    event = verifyWebhook(request.body, request.headers, process.env.SVC_WEBHOOK_SECRET);
  } catch (error) {
    return response.status(400).type("text").send(error.message); // Shown in this console.
  }
  response.sendStatus(204); // Respond within 15 seconds; do the work afterwards.
  console.log(event.id, event.type); // Retries keep the id: skip ids you have processed.
});

app.listen(3000);
`,
    },
  ],
  manual: {
    file: 'webhooks.mjs',
    needs: 'Express 5.',
    verify,
    code: (path) => `import { createHmac, timingSafeEqual } from "node:crypto";
import express from "express";

const app = express();
const secret = process.env.SVC_WEBHOOK_SECRET;

// Above any express.json(): the signature covers the raw bytes.
app.post(${quote(path)}, express.raw({ type: "*/*" }), (request, response) => {
  const [id, timestamp, signature] = ["id", "timestamp", "signature"].map((name) =>
    request.get("webhook-" + name),
  );
  const genuine = verify(request.body, id, timestamp, signature, secret, Date.now() / 1000);
  if (!genuine) return response.sendStatus(400);
  response.sendStatus(204); // Respond first; do the work afterwards.
  const event = JSON.parse(request.body);
  console.log(id, event.type); // Retries keep the id: skip ids you have processed.
});

app.listen(3000);

${verify}
`,
  },
};
