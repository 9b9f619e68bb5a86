import { openDatabase, raw } from '@svc/db';
import { startPostgres } from '@svc/db/testing';
import { verifyWebhook, WebhookVerificationError } from '@svc/node';
import { expect, onTestFinished, test } from 'vitest';
import { openReceiver } from '../../../../packages/webhooks/src/testing/receiver.ts';
import { createSvixClient } from '../../src/relay/svix/svix-client.ts';
import { findSvixServer, startSvixServer } from '../support/svix-server.ts';

// Another implementation of the scheme signs here, so a misreading of it would not go unnoticed.

const binary = findSvixServer();
if (binary === undefined) {
  console.warn('Signatures of svix-server are not tested: set SVIX_SERVER_BIN to its program.');
}

test.skipIf(binary === undefined)(
  'a public key of svix-server verifies what it signs',
  async () => {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.stop());
    const admin = await openDatabase({ url: postgres.url('postgres') }, { pool: 1 });
    await admin.run(raw('create database svix'));
    await admin.close();
    const server = await startSvixServer({
      binary: binary ?? '',
      databaseUrl: postgres.url('svix'),
      signature: 'ed25519',
    });
    onTestFinished(() => server.kill());
    const receiver = await openReceiver();
    onTestFinished(() => receiver.close());
    const svix = createSvixClient({ serverUrl: server.url, token: server.token });
    await svix.application.create({ name: 'maple', uid: 'maple' });
    const endpoint = await svix.endpoint.create('maple', { url: receiver.url });
    const { key } = await svix.endpoint.getSecret('maple', endpoint.id);
    expect(key).toMatch(/^whpk_/);

    const payload = { id: 'evt_1', type: 'plan.created', external_id: 't-1', data: {} };
    await svix.message.create('maple', { eventType: payload.type, payload });
    await receiver.until(1);
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    expect(headers).toMatchObject({ 'webhook-signature': expect.stringMatching(/^v1a,/) });
    expect(verifyWebhook(body, headers, key)).toMatchObject(payload);
    const changed = body.replace('evt_1', 'evt_2');
    expect(() => verifyWebhook(changed, headers, key)).toThrow(WebhookVerificationError);
  },
);
