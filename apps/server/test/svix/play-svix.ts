import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Svix } from 'svix';
import { expect } from 'vitest';
import type { Running } from '../harness.ts';

/** A client of either major version. The test names the fields in which they differ. */
export interface SvixVersion {
  readonly open: (key: string, serverUrl: string) => Svix;
  readonly typesField: 'filterTypes' | 'eventTypes';
}

interface Refused {
  readonly code: number;
  readonly body: { code?: string; detail: unknown };
}

async function refusalOf(call: Promise<unknown>): Promise<Refused> {
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error as Refused,
  );
  if (!outcome) throw new Error('the call was not refused');
  return outcome;
}

/** Plays a consumer of the official client: endpoints, secrets, messages, attempts and recovery. */
export async function playSvix(svc: Running, { open, typesField }: SvixVersion): Promise<void> {
  let status = 500;
  const received: { id: string | undefined; body: string }[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8');
      received.push({ id: request.headers['svix-id'] as string | undefined, body });
      response.writeHead(status).end('seen');
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  try {
    const { key, pms } = await svc.newPartner();
    const svix = open(key, `${svc.url}/svix`);
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

    expect(await svix.application.getOrCreate({ name: 'Ours', uid: pms })).toMatchObject({
      id: `app_${pms}`,
      uid: pms,
    });
    const types = (names: string[]) => ({ [typesField]: names }) as object;
    const endpoint = await svix.endpoint.create(pms, {
      url,
      uid: 'ledger',
      description: 'Ledger',
      metadata: { team: 'Ledger' },
      headers: { 'x-team': 'ledger' },
      throttleRate: 100,
      ...types(['plan.created', 'settlement.created']),
    });
    expect(endpoint).toMatchObject({
      url,
      uid: 'ledger',
      disabled: false,
      metadata: { team: 'Ledger' },
      throttleRate: 100,
      ...types(['plan.created', 'settlement.created']),
    });
    expect(endpoint.createdAt).toBeInstanceOf(Date);
    expect(await svix.endpoint.getHeaders(pms, 'ledger')).toEqual({
      headers: {},
      sensitive: ['x-team'],
    });
    await svix.endpoint.patchHeaders(pms, 'ledger', {
      headers: { 'x-other': 'one' },
      deleteHeaders: ['x-team'],
    });
    const patched = await svix.endpoint.patch(pms, 'ledger', { description: 'Books' });
    expect(patched).toMatchObject({
      description: 'Books',
      ...types(['plan.created', 'settlement.created']),
    });
    const idle = await svix.endpoint.create(pms, { url: `${url}/idle`, disabled: true });
    expect(idle.disabled).toBe(true);
    const listed = await svix.endpoint.list(pms, { limit: 1 });
    expect(listed).toMatchObject({ data: [{ id: endpoint.id }], done: false });
    const rest = await svix.endpoint.list(pms, { limit: 1, iterator: listed.iterator });
    expect(rest).toMatchObject({ data: [{ id: idle.id }], done: true });
    await svix.endpoint.delete(pms, idle.id);
    const { key: before } = await svix.endpoint.getSecret(pms, endpoint.id);
    await svix.endpoint.rotateSecret(pms, endpoint.id, {});
    const { key: after } = await svix.endpoint.getSecret(pms, endpoint.id);
    expect([before, after].every((secret) => secret.startsWith('whsec_'))).toBe(true);
    expect(after).not.toBe(before);

    const input = { eventType: 'plan.created', eventId: 'order:1', payload: { amount: 5 } };
    const sent = await svix.message.create(`app_${pms}`, input);
    expect(sent).toMatchObject({
      eventType: 'plan.created',
      eventId: 'order:1',
      payload: { amount: 5 },
    });
    expect(await refusalOf(svix.message.create(pms, input))).toMatchObject({
      code: 409,
      body: { code: 'conflict' },
    });
    await svc.engine.idle();
    expect(received.map(({ id }) => id)).toEqual([sent.id]);
    expect(received[0]?.body).toContain('"custom":true,"data":{"amount":5}}');
    expect(await svix.message.get(pms, sent.id)).toMatchObject({ payload: { amount: 5 } });
    expect((await svix.message.list(pms, { withContent: true })).data).toMatchObject([
      { id: sent.id, payload: { amount: 5 } },
    ]);

    const failed = await svix.messageAttempt.listByMsg(pms, sent.id);
    expect(failed.data).toMatchObject([
      {
        msgId: sent.id,
        endpointId: endpoint.id,
        status: 2,
        responseStatusCode: 500,
        response: 'seen',
      },
    ]);
    status = 204;
    await svix.messageAttempt.resend(pms, sent.id, endpoint.id);
    await svc.engine.idle();
    const succeeded = await svix.messageAttempt.listByEndpoint(pms, endpoint.id, { status: 0 });
    expect(succeeded.data).toMatchObject([{ msgId: sent.id, status: 0, triggerType: 1 }]);
    const attemptId = succeeded.data[0]?.id ?? '';
    expect(await svix.messageAttempt.get(pms, sent.id, attemptId)).toMatchObject({ id: attemptId });
    const since = new Date(svc.clock.now().getTime() - 3_600_000);
    expect(await svix.endpoint.recover(pms, endpoint.id, { since })).toMatchObject({
      task: 'endpoint.recover',
    });
    await svix.message.expungeContent(pms, sent.id);
    expect((await svix.message.get(pms, sent.id)).payload).toEqual({});

    expect(
      await svix.eventType.create({ name: 'plan.created', description: 'Mine' }),
    ).toMatchObject({
      name: 'plan.created',
    });
    expect(
      await refusalOf(svix.eventType.create({ name: 'invented.type', description: '' })),
    ).toMatchObject({ code: 403, body: { code: 'forbidden' } });
    expect((await svix.eventType.list({ limit: 100 })).data.map(({ name }) => name)).toContain(
      'settlement.created',
    );
    const { url: portal } = await svix.authentication.appPortalAccess(pms, { readOnly: true });
    expect(portal).toMatch(/\/portal#/);

    expect(await refusalOf(svix.endpoint.get(pms, 'ep_none'))).toMatchObject({
      code: 404,
      body: { code: 'not_found' },
    });
    expect(await refusalOf(svix.endpoint.list('another-app'))).toMatchObject({ code: 404 });
    expect(await refusalOf(svix.endpoint.create(pms, { url: 'nowhere' }))).toMatchObject({
      code: 422,
      body: { detail: [{ loc: ['body', 'url'] }] },
    });
    expect(
      await refusalOf(svix.endpoint.create(pms, { url, ...types(['plan.craeted']) })),
    ).toMatchObject({
      code: 422,
      body: { detail: [{ loc: ['body', 'filterTypes', expect.any(String)] }] },
    });
    expect(
      await refusalOf(open(`${key.slice(0, -1)}!`, `${svc.url}/svix`).eventType.list()),
    ).toMatchObject({
      code: 401,
      body: { code: 'authentication_failed' },
    });
    // Each action is in the partner's audit log once.
    const { data: audit } = await svc.call('GET', '/webhooks/audit_log?limit=100', { key });
    const actions = audit.items.map((it: { action: string }) => it.action);
    expect(actions.filter((it: string) => it === 'endpoint.created')).toHaveLength(2);
    expect(actions).toEqual(
      expect.arrayContaining(['secret.rotated', 'secret.revealed', 'message.published']),
    );
  } finally {
    receiver.closeAllConnections();
    receiver.close();
  }
}
