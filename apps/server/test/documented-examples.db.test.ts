import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, expect, test } from 'vitest';
import { ada, useService } from './harness.ts';
import { withPlan } from './journeys/with-plan.ts';

const svc = await useService();
const { key, ...partner } = await svc.newPartner();
const receiver = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(204).end());
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
afterAll(() => receiver.close());
const receiverUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

interface Content {
  readonly schema: object;
  readonly examples: Readonly<Record<string, { readonly value?: unknown }>>;
}
interface Operation {
  readonly operationId: string;
  readonly parameters: { name: string; in: string; example?: unknown; required: boolean }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, { content: Record<string, Content> }>>;
}

const document = (await (await fetch(`${svc.url}/v1/openapi.json`)).json()) as {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, { properties?: object }> };
};
const ajv = new Ajv2020({ strict: false, validateFormats: false });
ajv.addSchema(document, 'document');
const operations = new Map(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      operation.operationId,
      { path, method: method.toUpperCase(), operation },
    ]),
  ),
);
const done = new Set<string>();
/** Ids of this test's objects, by the prefix of the example that they replace. */
const ids: Record<string, string> = {};

/** Makes the documented example request, with ids of existing objects. The response must fit its schema. */
async function run(
  operationId: string,
  changes: object = {},
  exampleName = 'request',
): Promise<unknown> {
  const found = operations.get(operationId);
  if (!found) throw new Error(`There is no operation ${operationId}.`);
  const { path, method, operation } = found;
  const values = (place: string) =>
    operation.parameters
      .filter((it) => it.in === place && it.example !== undefined)
      .map(({ name, example }) => [name, String(real(example))] as const);
  const params = Object.fromEntries(values('path'));
  const query = new URLSearchParams(values('query').map((pair) => [...pair]));
  const at = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(params[name] ?? ''));
  const [media, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const { value } = content?.examples[exampleName] ?? {};
  const file = typeof value === 'string' ? await (await fetch(value)).blob() : null;
  const json = value ? JSON.stringify({ ...(real(value) as object), ...changes }) : null;
  const response = await fetch(`${svc.url}/v1${at}?${query}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(media ? { 'content-type': media } : {}),
    },
    body: file ?? json,
  });
  const text = await response.text();
  expect(response.status, `${operationId} ${text}`).toBe(200);
  done.add(operationId);
  const [type = '', schema] = Object.entries(operation.responses[200]?.content ?? {})[0] ?? [];
  expect(response.headers.get('content-type')).toContain(type);
  if (type !== 'application/json') return text;
  const answer: unknown = JSON.parse(text);
  const located = JSON.stringify(schema?.schema).replaceAll('"#/', '"document#/');
  const validate = ajv.compile(JSON.parse(located) as object);
  expect(validate(answer), `${operationId} ${ajv.errorsText(validate.errors)}`).toBe(true);
  return (answer as { data: unknown }).data;
}

/** Replaces ids and addresses of examples by real ones. */
function real(example: unknown): unknown {
  return JSON.parse(JSON.stringify(example), (_, value) => {
    if (value === 'https://portal.example/api/svc/webhooks') return receiverUrl;
    const [, prefix] = /^([a-z]{2,3})_01k5z3w7c8d9e0f1g2h3j4k5m6$/.exec(String(value)) ?? [];
    return prefix === undefined ? value : (ids[prefix] ?? value);
  });
}

test('each example request of the document is answered as the document says', async () => {
  // This creates the tenant t-100.
  await run('replayRecording');
  await run('resetSimulation');
  // Runs each operation's other named examples. The tenant is reported again afterwards.
  for (const [operationId, { operation }] of operations) {
    for (const { examples } of Object.values(operation.requestBody?.content ?? {})) {
      const others = Object.keys(examples).filter((name) => name !== 'request');
      for (const name of others) await run(operationId, {}, name);
    }
  }
  // The life of a plan. The examples are about the tenant t-100.
  await run('createTenantToken');
  await run('createTenantTokenFromBody');
  await run('failNextPayment');
  await run('resetSimulation');
  await run('setFlow');
  await run('setUnderwritingResult');
  const { plan } = await withPlan(svc, { key, ...partner }, 't-100');
  await run('getTenant');
  ids.pln = plan.id;
  const { settlement_id } = (await run('getPlan')) as { settlement_id: string };
  ids.stl = settlement_id;
  await run('listSettlements');
  await run('getSettlement');
  await run('updateSettlement');
  await run('updateSettlement', { status: 'verified' });
  await run('createRefund');
  await run('listRefunds');
  await run('reportSettlementReturn');
  await run('getSettlementReport');
  await run('downloadSettlementReport');
  await run('advanceClock');
  await run('getSimulation');
  await run('getTenantHistory');
  const { data: messages } = await svc.call('GET', '/webhooks/messages?external_id=t-100', { key });
  ids.evt = messages.items.at(-1).id;
  await run('forkTenant');
  await run('getRecording');
  await run('resetSimulation');
  await run('playScenario');
  await run('listTenants');

  // The page without the widget.
  const hosted = { return_url: 'https://portal.example/rent' };
  const asked = await svc.call('POST', '/tenant/portal_info/t-100', {
    key,
    body: { ...ada, hosted },
  });
  const link = String(asked.data.experience_url).split('#link=')[1];
  const opened = await svc.call('POST', '/experience/link', {
    body: { link, nonce: 'nonce-of-this-page-1' },
  });
  const left = await svc.call('POST', '/experience/leave', {
    headers: { authorization: `Bearer ${opened.data.session}` },
    body: { last_step: 'manage' },
  });
  await run('useExperienceResult', {
    result: new URL(left.data.url).searchParams.get('svc_result'),
  });
  await run('revokeExperienceUrls');

  // A payout by the portal's debit.
  const { pms } = partner;
  const schedule = { command: 'payout schedule', pms, method: 'debit' } as const;
  expect(await svc.administer({ ...schedule, destination: '', cut_off_hour: 17 })).toMatchObject({
    ok: true,
  });
  await withPlan(svc, { key, ...partner }, 't-200');
  const created = await svc.administer({ command: 'payout create', pms });
  ids.pyt = created.ok ? (created.result as { id: string }).id : created.message;
  await run('listPayouts');
  await run('getPayout');
  await run('getPayoutStatement');
  await run('downloadPayoutStatement');
  await run('updatePayout');
  await run('updatePayout', { status: 'paid' });
  await run('reportPayoutReturn');

  // Webhooks.
  ids.ep = ((await run('createEndpoint')) as { id: string }).id;
  await run('listEndpoints');
  await run('getEndpoint');
  await run('updateEndpoint');
  await run('getEndpointSecret');
  await run('rotateEndpointSecret');
  await run('updateEndpoint', { asymmetric_signature: true });
  await run('rotateEndpointPublicKey');
  await run('sendTestWebhook');
  await run('previewFilter');
  ids.evt = ((await run('publishEvent', { channels: undefined })) as { id: string }).id;
  await run('listEvents');
  await run('listEventTypes');
  await run('listEgressIps');
  await run('listMessages');
  await run('getMessage');
  await run('listMessageAttempts');
  await run('listAttempts');
  await run('listEndpointHealth');
  await run('getActivity');
  await run('listDeliveries');
  await run('downloadDeliveries');
  await run('exportDeliveries');
  await run('replayMessage');
  ids.rpl = ((await run('createReplay')) as { id: string }).id;
  await run('listReplays');
  await run('getReplay');
  await run('pauseReplay');
  await run('resumeReplay');
  await run('cancelReplay');
  await run('expungeMessage');
  // Without the page of the example: tests call only this machine.
  await run('runDoctor', { page_url: undefined });
  ids.crt = ((await run('startCertification')) as { id: string }).id;
  await run('runCertificationCase');
  await run('reportPageResults');
  await run('finishCertification');
  await run('listCertifications');
  await run('getCertification');
  await run('deleteEndpoint');

  // The partner.
  await run('getPartner');
  await run('getDebitAccount');
  await run('getGoLive');
  await run('markGoLive');
  await run('listRequests');
  const logged = await fetch(`${svc.url}/v1/partner`, {
    headers: { authorization: `Bearer ${key}` },
  });
  ids.req = logged.headers.get('x-request-id') ?? '';
  await run('getRequest');
  await run('listApiKeys');
  ids.key = ((await run('createApiKey')) as { id: string }).id;
  await run('rotateApiKey');
  await run('revokeApiKey');
  await run('setAllowedOrigins');
  await run('getAllowedOrigins');
  await run('createPortalToken');
  await run('createWebhookPortalLink');
  await run('revokeWebhookPortalSessions');
  await run('setAppearance');
  await run('getAppearance');
  await run('uploadLogo');
  await run('uploadFont');
  await run('removeLogo');
  await run('removeFont');
  await run('listAuditLog');

  expect([...operations.keys()].filter((id) => !done.has(id))).toEqual([]);
});
