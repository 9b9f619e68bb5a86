import { type KeyScope, keyScopes } from '@svc/contract';
import { signWidget } from '@svc/node';
import { describe, expect, test } from 'vitest';
import type { Route } from '../src/http/route.ts';
import { routes } from '../src/http/routes.ts';
import { ada, useService } from './harness.ts';

const svc = await useService();

const forKeys = routes.filter(({ who }) => who === 'key' || who === 'key_or_portal');

/**
 * The writes, and the reads of secrets, that a key with only this scope may call. A new route of this kind
 * fails the test until somebody has decided where it belongs.
 */
const mayCall: Record<Exclude<KeyScope, 'everything'>, readonly string[]> = {
  widget: [],
  tokens: [
    'createTenantToken',
    'createTenantTokenFromBody',
    'revokeExperienceUrls',
    'useExperienceResult',
  ],
  read: [],
  settlements: [
    'getDebitAccount',
    'updateSettlement',
    'reportSettlementReturn',
    'createRefund',
    'updatePayout',
    'reportPayoutReturn',
  ],
  webhooks: [
    'createEndpoint',
    'previewFilter',
    'updateEndpoint',
    'deleteEndpoint',
    'getEndpointSecret',
    'rotateEndpointSecret',
    'rotateEndpointPublicKey',
    'sendTestWebhook',
    'publishEvent',
    'replayMessage',
    'expungeMessage',
    'createReplay',
    'pauseReplay',
    'resumeReplay',
    'cancelReplay',
  ],
  simulation: [
    'setUnderwritingResult',
    'setFlow',
    'advanceClock',
    'failNextPayment',
    'playScenario',
    'resetSimulation',
    'forkTenant',
    'getRecording',
    'replayRecording',
  ],
};
/** Reads that open a console or end one, so they need `everything`. */
const opensTheConsole = ['createWebhookPortalLink'];

type Partner = Awaited<ReturnType<typeof svc.newPartner>>;

async function createKey({ key }: Pick<Partner, 'key'>, scopes: readonly KeyScope[]) {
  const made = await svc.call('POST', '/partner/api_keys', { key, body: { name: 'K', scopes } });
  return made.data as { id: string; api_key: string; scopes: KeyScope[] };
}

function mayRead(scope: KeyScope, { method, path, docs }: Route): boolean {
  const id = docs?.id ?? '';
  const isSecret = Object.values(mayCall).some((ids) => ids.includes(id));
  if (method !== 'GET' || isSecret || opensTheConsole.includes(id)) return false;
  if (scope === 'read' || id === 'getPartner') return true;
  if (scope === 'settlements') return /^\/(settlements|payouts)/.test(path);
  if (scope === 'simulation') return path.startsWith('/simulation/');
  const isLog = id === 'listAuditLog';
  return scope === 'webhooks' && /^\/(webhooks\/|events$)/.test(path) && !isLog;
}

test.each(keyScopes)('a key with the scope %s may call its routes and no others', async (scope) => {
  const { api_key } = await createKey(await svc.newPartner(), [scope]);
  for (const row of forKeys) {
    const id = row.docs?.id ?? '';
    const address = row.path.replace(/\{\w+\}/g, 'any');
    // Files are not JSON.
    const answer = await fetch(`${svc.url}/v1${address}`, {
      method: row.method,
      headers: { authorization: `Bearer ${api_key}` },
    });
    const isRefused =
      answer.status === 403 && (await answer.text()).includes('"key_scope_required"');
    const may = scope === 'everything' || mayCall[scope].includes(id) || mayRead(scope, row);
    expect({ id, isRefused }).toEqual({ id, isRefused: !may });
  }
});

describe('a key with some scopes', () => {
  test('is refused with the name of the scope that it lacks, in its request log, too', async () => {
    const partner = await svc.newPartner();
    const page = await createKey(partner, ['widget', 'tokens']);
    expect(
      await svc.call('POST', '/settlements/stl_1/refunds', { key: page.api_key }),
    ).toMatchObject({
      status: 403,
      error: {
        code: 'key_scope_required',
        message:
          'This call needs an API key with the scope settlements. This key has widget and tokens.',
      },
    });
    expect(await svc.call('GET', '/settlements', { key: page.api_key })).toMatchObject({
      error: { message: expect.stringContaining('the scope settlements or read.') },
    });
    const log = await svc.call('GET', '/partner/requests?code=key_scope_required', {
      key: partner.key,
    });
    expect(log.data.items).toMatchObject([
      { path: '/v1/settlements', api_key: { id: page.id } },
      { path: '/v1/settlements/stl_1/refunds', api_key: { id: page.id } },
    ]);
  });

  test('gives tokens and signs the widget, each with its own scope', async () => {
    const partner = await svc.newPartner();
    const page = await createKey(partner, ['tokens']);
    const sent = await svc.call('POST', '/tenant/portal_info/t-1', {
      key: page.api_key,
      body: ada,
    });
    expect(sent.status).toBe(200);
    const open = async (apiKey: string) => {
      const { pms } = partner;
      const signature = await signWidget({ apiKey, pms, externalId: 't-1' });
      const body = { pms, external_id: 't-1', signature };
      return (await svc.call('POST', '/widget/session', { body })).status;
    };
    expect(await open(page.api_key)).toBe(401);
    expect(await open((await createKey(partner, ['widget'])).api_key)).toBe(200);
    expect(await open(partner.key)).toBe(200);
    const signature = await signWidget({
      apiKey: page.api_key,
      pms: partner.pms,
      externalId: 't-1',
    });
    const { data } = await svc.call('POST', '/partner/doctor', {
      key: partner.key,
      body: { diagnosis: { external_id: 't-1', pms: partner.pms, signature } },
    });
    expect(data.checks).toContainEqual(
      expect.objectContaining({
        id: 'signature',
        detail: expect.stringContaining('which lacks the scope widget'),
      }),
    );
  });

  test('keeps its scopes when it is rotated, and says them', async () => {
    const partner = await svc.newPartner();
    const old = await createKey(partner, ['read', 'read', 'webhooks']);
    expect(old.scopes).toEqual(['read', 'webhooks']);
    const { data } = await svc.call('POST', `/partner/api_keys/${old.id}/rotate`, {
      key: partner.key,
      body: {},
    });
    expect(data.scopes).toEqual(['read', 'webhooks']);
    const asked = await svc.call('GET', '/partner', { key: data.api_key });
    expect(asked.data.scopes).toEqual(['read', 'webhooks']);
  });

  test('does not count as the last key that may do everything', async () => {
    const partner = await svc.newPartner();
    const reader = await createKey(partner, ['read']);
    const revoke = (id: string) =>
      svc.call('DELETE', `/partner/api_keys/${id}`, { key: partner.key });
    expect(await revoke(partner.keyId)).toMatchObject({ error: { code: 'last_api_key' } });
    expect((await revoke(reader.id)).status).toBe(200);
  });

  test('needs at least one scope that exists', async () => {
    const { key } = await svc.newPartner();
    for (const scopes of [[], ['wigdet']]) {
      const answer = await svc.call('POST', '/partner/api_keys', {
        key,
        body: { name: 'K', scopes },
      });
      expect(answer).toMatchObject({ status: 422, error: { code: 'validation_failed' } });
    }
  });

  test('calls Svix’s API with the scope webhooks only', async () => {
    const partner = await svc.newPartner();
    const call = async (scopes: readonly KeyScope[]) => {
      const { api_key } = await createKey(partner, scopes);
      const answer = await fetch(`${svc.origin}/svix/api/v1/app/`, {
        headers: { authorization: `Bearer ${api_key}` },
      });
      return answer.status;
    };
    expect(await call(['read'])).toBe(403);
    expect(await call(['webhooks'])).not.toBe(403);
  });
});
