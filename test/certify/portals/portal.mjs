// A small portal that integrates Svc correctly. `mutations.ts` breaks one thing of it at a time.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import { SvcClient, signWidget, verifyTenantQuery, verifyWebhook } from '@svc/node';

const {
  SVC_URL: service = '',
  SVC_API_KEY: apiKey = '',
  SVC_PMS: pms = '',
  SVC_WEBHOOK_SECRET: secret = '',
  PORT: port = '0',
} = process.env;
const svc = new SvcClient({ apiKey, baseUrl: `${service}/v1` });
const mostBytes = 1_000_000;

/** The signed-in tenant. */
const tenant = { externalId: 't-100', balance: 152_012 };

// A portal keeps these in its database.
const handledIds = new Set();
const inFlight = new Map();
const plans = new Map();
const settlements = new Map();

async function receiveWebhook(request, response) {
  const body = await readBody(request);
  let event;
  try {
    event = verifyWebhook(body, request.headers, secret);
  } catch (error) {
    return answer(response, 401, error.message);
  }
  await handleOnce(event);
  answer(response, 204);
}

/** A message may arrive twice, also at the same time. One that failed is handled again. */
async function handleOnce(event) {
  if (handledIds.has(event.id)) return;
  const running = inFlight.get(event.id) ?? handle(event);
  inFlight.set(event.id, running);
  try {
    await running;
    handledIds.add(event.id);
  } finally {
    inFlight.delete(event.id);
  }
}

async function handle(event) {
  if (event.test || event.custom) return;
  if (event.type.startsWith('plan.')) storePlan(event);
  if (event.type === 'settlement.created') await debit(event);
  if (event.type.startsWith('settlement.')) storeSettlement(event);
  if (event.data.change === 'refunded') await bookRefunds(event.data.plan_id);
}

const stateOf = {
  'plan.created': 'created',
  'plan.activated': 'active',
  'plan.past_due': 'past_due',
  'plan.completed': 'completed',
  'plan.canceled': 'canceled',
};

function storePlan({ type, external_id, data }) {
  const known = plans.get(data.plan_id);
  if (known && known.version >= data.object_version) return;
  const changed = { charged_off: 'charged_off', reopened: 'active', recovered: 'active' }[
    data.change
  ];
  plans.set(data.plan_id, {
    externalId: external_id,
    version: data.object_version,
    state: changed ?? stateOf[type] ?? known?.state ?? 'created',
  });
}

function settlementOf({ external_id, data }) {
  const id = data.settlement_id;
  const known = settlements.get(id) ?? {
    externalId: external_id,
    planId: data.plan_id,
    status: 'unsettled',
    version: 0,
    debits: new Map(),
    sentBack: 0,
  };
  settlements.set(id, known);
  return known;
}

/** The bank knows a debit by its key, so a second one with the same key moves no money. */
async function debit(event) {
  const { settlement_id, amount_in_cents } = event.data;
  const { debits } = settlementOf(event);
  const key = createHash('sha256').update(settlement_id).digest('hex').slice(0, 20);
  debits.set(key, amount_in_cents);
  await svc.settlements.update(settlement_id, {
    status: 'verified',
    processor_transaction_id: `tr_${key}`,
  });
}

function storeSettlement(event) {
  const settlement = settlementOf(event);
  const { object_version, new_status } = event.data;
  if (object_version <= settlement.version) return;
  settlement.version = object_version;
  settlement.status = new_status ?? settlement.status;
  // The bank has taken the money back.
  if (settlement.status === 'returned') settlement.debits.clear();
}

/** The landlord may send money back in the console, too, so the refunds are read from Svc. */
async function bookRefunds(planId) {
  for (const [id, settlement] of settlements) {
    if (settlement.planId !== planId) continue;
    const refunds = await svc.settlements.listRefunds(id).toArray();
    settlement.sentBack = refunds.reduce((sum, { amount_in_cents }) => sum + amount_in_cents, 0);
  }
}

/** Svc asks for our view of a tenant of its certification. */
async function showTenant(request, response, externalId) {
  try {
    verifyTenantQuery(externalId, request.headers, secret);
  } catch (error) {
    return answer(response, 401, error.message);
  }
  const isTheirs = (entry) => entry.externalId === externalId;
  const plan = [...plans].find(([, entry]) => isTheirs(entry));
  answer(response, 200, {
    plan: plan ? { id: plan[0], state: plan[1].state } : null,
    settlements: [...settlements]
      .filter(([, entry]) => isTheirs(entry))
      .map(([id, { status, debits, sentBack }]) => ({
        id,
        status,
        debited_in_cents: [...debits.values()].reduce((sum, amount) => sum + amount, 0),
        sent_back_in_cents: sentBack,
      })),
  });
}

async function showToken(response) {
  const { token } = await svc.portalInfo(tenant.externalId, {
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
  answer(response, 200, { token });
}

async function showPage(response) {
  const settings = {
    pms,
    externalId: tenant.externalId,
    balance: tenant.balance,
    signature: await signWidget({ apiKey, pms, externalId: tenant.externalId }),
    environment: 'sandbox',
    baseUrl: `${service}/v1`,
  };
  const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Your rent</title>
    <link rel="icon" href="data:,">
    <style>#rent { max-width: 560px; min-height: 250px }</style>
    <script type="module" nonce="page">
      import { Svc } from '${service}/sdk/svc.js';
      const svc = Svc({
        ...${JSON.stringify(settings)},
        onEvent: (type, data) => console.log(type, data),
        async onWidgetClickCallback() {
          const { token } = await (await fetch('/token', { method: 'POST' })).json();
          await svc.openExperienceAndSetToken(token);
        },
      });
      document.getElementById('rent').replaceChildren(svc.createWidget());
    </script>
  </head>
  <body>
    <main><h1>Your rent</h1><div id="rent"><a href="/pay">Pay your rent</a></div></main>
  </body>
</html>`;
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'self'; script-src 'nonce-page' ${service}; style-src 'unsafe-inline'; img-src data: ${service}; connect-src 'self' ${service}; frame-src ${service}`,
  });
  response.end(page);
}

async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > mostBytes) throw Object.assign(new Error('too large'), { status: 413 });
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function answer(response, status, body = '') {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  response.writeHead(status, {
    'content-type': typeof body === 'string' ? 'text/plain' : 'application/json',
  });
  response.end(status === 204 ? undefined : text);
}

const server = createServer(async (request, response) => {
  try {
    const { pathname, searchParams } = new URL(request.url, 'http://portal');
    const route = `${request.method} ${pathname}`;
    if (route === 'GET /') await showPage(response);
    else if (route === 'POST /token') await showToken(response);
    else if (route === 'POST /webhooks') await receiveWebhook(request, response);
    else if (route === 'GET /tenant')
      await showTenant(request, response, searchParams.get('tenant'));
    else answer(response, 404, 'not found');
  } catch (error) {
    answer(response, error.status ?? 500, error.message);
  }
});
server.listen(Number(port), '127.0.0.1', () => {
  console.log(`listening on ${server.address().port}`);
});
