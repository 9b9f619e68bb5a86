import { expect, test } from 'vitest';
import { routes } from '../src/http/routes.ts';
import { startRunning, useService } from './harness.ts';

const svc = await useService({
  environment: 'production',
  publicOrigin: 'https://svc.example',
  allowPrivateWebhooks: false,
});

test('simulation does not exist, and is not documented', async () => {
  const { key } = await svc.newPartner();
  for (const row of routes.filter(({ sandboxOnly }) => sandboxOnly)) {
    const path = row.path.replace('{external_id}', 't');
    expect(await svc.call(row.method, path, { key })).toMatchObject({
      status: 403,
      error: { code: 'simulation_unavailable' },
    });
    expect((await svc.call(row.method, path)).status).toBe(401);
  }
  const document = (await (await fetch(`${svc.url}/v1/openapi.json`)).json()) as { paths: object };
  expect(Object.keys(document.paths).filter((path) => path.includes('simulation'))).toEqual([]);
});

test('a sandbox key is told that it is one', async () => {
  const sandbox = await startRunning();
  const { key } = await sandbox.newPartner();
  await sandbox.close();
  expect(await svc.call('GET', '/settlements', { key })).toMatchObject({
    status: 401,
    error: { code: 'wrong_environment' },
  });
});

test('webhooks go to public https addresses only', async () => {
  const { key } = await svc.newPartner();
  for (const url of [
    'http://portal.example/hook',
    'https://127.0.0.1/hook',
    'https://localhost/hook',
    'https://user:password@portal.example/hook',
  ]) {
    expect(await svc.call('POST', '/webhooks/endpoints', { key, body: { url } })).toMatchObject({
      status: 422,
      error: { code: 'validation_failed', param: 'url' },
    });
  }
});

test('without allowed origins nobody may frame the experience', async () => {
  const { pms, key } = await svc.newPartner();
  const policy = async () => {
    const response = await fetch(`${svc.url}/experience/${pms}`);
    return response.headers.get('content-security-policy');
  };
  expect(await policy()).toContain("frame-ancestors 'none'");
  const body = { allowed_origins: ['https://portal.example', 'https://app.example'] };
  await svc.call('PUT', '/partner/allowed_origins', { key, body });
  expect(await policy()).toContain('frame-ancestors https://portal.example https://app.example');
});
