// node --test rent.test.mjs
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { startSandbox } from '@svc/sandbox';
import { createReceiver } from './receiver.mjs';

let sandbox;
before(async () => {
  sandbox = await startSandbox();
});
after(() => sandbox.stop());

test('your receiver verifies the webhook and stores the settlement', async (context) => {
  let secret = '';
  const { server, settlements } = createReceiver(() => secret);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  const { webhooks } = sandbox.client;
  const endpoint = await webhooks.endpoints.create({
    url: `http://127.0.0.1:${server.address().port}/webhooks`,
    event_types: ['settlement.created'],
  });
  ({ secret } = await webhooks.endpoints.secret(endpoint.id));

  const answered = once(server, 'request').then(([, response]) => once(response, 'close'));
  const { settlement } = await sandbox.scenario('t-100', 'split');
  await answered;
  assert.equal(settlements.get(settlement.id), settlement.amount_in_cents);
});

test('a tenant who does not pay is past due', async () => {
  const { plan } = await sandbox.scenario('t-200', 'past_due');
  assert.equal(plan.state, 'past_due');
  const failed = await sandbox.nextWebhook('installment.failed', { externalId: 't-200' });
  assert.equal(failed.simulated, true);
});
