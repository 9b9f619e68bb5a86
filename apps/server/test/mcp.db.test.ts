import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  getDefaultEnvironment,
  StdioClientTransport,
} from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { type Tool, tools } from '@svc/mcp';
import { afterAll, describe, expect, test } from 'vitest';
import { listenLocally, openCli } from '../../../packages/cli/src/testing/open-cli.ts';
import { ada, startRunning, useService } from './harness.ts';

// The official client of the Model Context Protocol, against the command line and the service.

const svc = await useService();
const receiver = await listenLocally(() => ({ status: 204 }));
afterAll(() => receiver.close());

interface Connection {
  readonly key: string;
  readonly write: boolean;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));

const transports = {
  http: ({ key, write }: Connection) =>
    new StreamableHTTPClientTransport(new URL(`${svc.url}/mcp${write ? '?write=true' : ''}`), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    }),
  stdio: ({ key, write }: Connection) =>
    new StdioClientTransport({
      command: process.execPath,
      args: [join(root, 'packages/cli/dist/svc.mjs'), 'mcp', ...(write ? ['--write'] : [])],
      cwd: root,
      env: { ...getDefaultEnvironment(), SVC_API_KEY: key, SVC_URL: svc.url },
    }),
};

/** A client that is connected, and calls tools. */
async function connect(name: keyof typeof transports, connection: Connection) {
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(transports[name](connection));
  return {
    client,
    async call(tool: string, input: object = {}) {
      const result = await client.callTool({ name: tool, arguments: { ...input } });
      const [content] = result.content as { type: string; text: string }[];
      return { text: content?.text ?? '', isError: result.isError === true };
    },
    close: () => client.close(),
  };
}

describe.each(Object.keys(transports) as (keyof typeof transports)[])('over %s', (name) => {
  test('every tool of the definition works, and no answer has a secret', async () => {
    const { key, pms } = await svc.newPartner();
    await svc.call('POST', '/tenant/portal_info/t-100', { key, body: ada });
    const { client, call, close } = await connect(name, { key, write: true });
    const listed = await client.listTools();
    expect(listed.tools.map((tool) => tool.name)).toEqual(tools.map((tool) => tool.name));
    expect(client.getInstructions()).toContain('existing-app');

    const called = new Set<string>();
    const texts: string[] = [];
    const answer = async (tool: string, input: object = {}) => {
      called.add(tool);
      const { text, isError } = await call(tool, input);
      expect({ tool, text, isError }).toMatchObject({ isError: false });
      texts.push(text);
      return text;
    };
    const json = async (tool: string, input: object = {}) => JSON.parse(await answer(tool, input));

    expect(await json('show_partner')).toMatchObject({ pms, environment: 'sandbox' });
    const { results } = await json('search_docs', { query: 'how do I verify the raw body' });
    expect(results.length).toBeGreaterThan(3);
    expect(await answer('read_docs', { page: results[0].page })).toContain('#');
    expect(await answer('read_docs')).toContain('(/docs/existing-app.md)');
    expect((await json('list_scenarios')).scenarios).toContain('split');

    expect(await json('allow_origin', { origin: 'http://localhost:3000' })).toMatchObject({
      allowed_origins: ['http://localhost:3000'],
    });
    expect(await json('list_allowed_origins')).toMatchObject({
      allowed_origins: ['http://localhost:3000'],
    });
    const url = `${receiver.origin}/${name}`;
    const { endpoint, next } = await json('create_endpoint', { url });
    expect(next.command).toContain(endpoint.id);
    expect((await json('list_endpoints')).items).toMatchObject([{ id: endpoint.id, url }]);
    const sent = { endpoint_id: endpoint.id, event_type: 'plan.activated' };
    expect(await json('send_test_webhook', sent)).toMatchObject({ succeeded: true, status: 204 });

    await json('play_scenario', { external_id: 't-100', scenario: 'split' });
    expect((await json('show_tenant', { external_id: 't-100' })).eligibility.state).toBe(
      'has_plan',
    );
    await expect
      .poll(async () => (await json('list_messages', { state: 'delivered' })).items.length)
      .toBeGreaterThan(1);
    const { items } = await json('list_messages', { event_type: 'settlement.created' });
    const message = { message_id: items[0].id };
    await json('replay_message', { ...message, endpoint_id: endpoint.id });
    await expect
      .poll(async () => (await json('show_message', message)).attempts.length)
      .toBeGreaterThan(1);
    expect((await json('list_settlements', { external_id: 't-100' })).items).toMatchObject([
      { status: 'unsettled' },
    ]);
    // This receiver accepts forged messages.
    const { id: certification_id } = await json('start_certification');
    const handshake = { certification_id, case: 'handshake' };
    expect(await json('run_certification_case', handshake)).toMatchObject({
      status: 'fail',
      fix: expect.any(String),
    });
    expect(await json('show_certification', handshake)).toMatchObject([{ status: 'fail' }]);
    expect(await json('finish_certification', { certification_id })).toMatchObject({
      state: 'failed',
    });
    await json('advance_clock', { external_id: 't-100', by: 'P1M' });
    await json('reset_tenant', { external_id: 't-100' });
    const change = { advance_clock: 'P1D' };
    await json('play_scenario', { external_id: 't-forked', scenario: 'split' });
    const copy = await json('fork_tenant', { external_id: 't-forked', change });
    const { external_id } = copy;
    expect(await json('show_history', { external_id })).toMatchObject({
      forked_from: 't-forked',
      reproduced_events: copy.reproduced_events,
      change,
    });
    const { checks } = await json('run_doctor', { external_id: 't-100' });
    expect(checks).toContainEqual(expect.objectContaining({ id: 'webhook_forged' }));
    expect((await json('list_requests', { limit: 5 })).items).toHaveLength(5);

    expect([...called].sort()).toEqual(tools.map((tool) => tool.name).sort());
    for (const text of texts) {
      expect(text.length).toBeLessThan(41_000);
      expect(text).not.toContain(key);
      expect(text).not.toMatch(/whsec_[A-Za-z0-9+/]{20}/);
    }
    await close();
  });

  test('without write access, each tool that changes something is refused with the way to allow it', async () => {
    const { key } = await svc.newPartner();
    const { call, close } = await connect(name, { key, write: false });
    const how = { http: `${svc.origin}/mcp?write=true`, stdio: '"svc mcp --write"' }[name];
    for (const { name: tool, example } of writing) {
      const { text, isError } = await call(tool, example);
      expect(isError, tool).toBe(true);
      expect(text).toBe(
        `${tool} changes the sandbox, and this server is read-only. Ask the user to ${name === 'http' ? `set the server’s URL to ${how}` : `start it with ${how}`}.`,
      );
    }
    const { data } = await svc.call('GET', '/webhooks/endpoints', { key });
    expect(data.items).toEqual([]);
    await close();
  });

  test('an error says what was wrong and what to do', async () => {
    const { key } = await svc.newPartner();
    const { call, client, close } = await connect(name, { key, write: true });
    const error = async (tool: string, input: object) => {
      const { text, isError } = await call(tool, input);
      expect(isError, tool).toBe(true);
      return text;
    };
    expect(await error('show_tenant', { external_id: 'nobody' })).toContain('No tenant with this');
    expect(await error('show_tenant', { id: 't-1' })).toContain('Example: {"external_id":"t-100"}');
    expect(await error('read_docs', { page: 'nowhere' })).toContain('There is no page "nowhere"');
    expect(await error('read_docs', { page: '../../package' })).toContain('There is no page');
    expect(await error('read_docs', { page: 'webhooks#nowhere' })).toContain('has no section');
    expect(await error('search_docs', { query: 'xyzzyx' })).toContain('No section has a word of');
    expect(
      await error('play_scenario', {
        external_id: 't-1',
        scenario: 'approved',
        installment_count: 2,
      }),
    ).toContain('installment_count is only for scenarios with a plan');
    await expect(client.callTool({ name: 'drop_tables' })).rejects.toThrow('There is no tool');
    await close();
  });

  test('a key without the scope of a tool gets the name of the scope', async () => {
    const { key: owner } = await svc.newPartner();
    const body = { name: 'Agent', scopes: ['read'] };
    const { data } = await svc.call('POST', '/partner/api_keys', { key: owner, body });
    const { call, close } = await connect(name, { key: data.api_key, write: true });
    expect(await call('list_settlements')).toMatchObject({ isError: false });
    const refused = await call('create_endpoint', { url: `${receiver.origin}/x` });
    expect(refused).toEqual({
      isError: true,
      text: expect.stringContaining('needs an API key with the scope webhooks'),
    });
    await close();
  });
});

const writing = tools.filter(({ access }: Tool) => access === 'write');

test('the command of create_endpoint stores the secret and prints nothing', async () => {
  const { key } = await svc.newPartner();
  const { call, close } = await connect('http', { key, write: true });
  const url = `${receiver.origin}/stored`;
  const { endpoint, next } = JSON.parse((await call('create_endpoint', { url })).text);
  await close();
  const folder = await mkdtemp(join(tmpdir(), 'svc-agent-'));
  await writeFile(join(folder, '.env'), `SVC_API_KEY=${key}\n`);
  const ran = await promisify(execFile)('sh', ['-c', next.command], { cwd: folder });
  expect(ran).toEqual({ stdout: '', stderr: '' });
  const { data } = await svc.call('GET', `/webhooks/endpoints/${endpoint.id}/secret`, { key });
  expect(await readFile(join(folder, '.env'), 'utf8')).toBe(
    `SVC_API_KEY=${key}\n\nSVC_WEBHOOK_SECRET=${data.secret}\n`,
  );
  await rm(folder, { recursive: true });
});

test('the page of the docs lists the tools of the definition', async () => {
  const page = await (await fetch(`${svc.url}/docs/agents.md`)).text();
  const rows = [...page.matchAll(/^\| `(\w+)` \| (yes)? ?\|/gm)];
  expect(rows.map(([, tool, writes]) => [tool, writes === 'yes'])).toEqual(
    tools.map(({ name, access }) => [name, access === 'write']),
  );
});

describe('POST /mcp', () => {
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
  const accept = 'application/json, text/event-stream';
  const post = (
    key: string | undefined,
    given: Record<string, string> = {},
    body: unknown = list,
  ) =>
    fetch(`${svc.url}/mcp`, {
      method: 'POST',
      headers: {
        accept,
        'content-type': 'application/json',
        ...(key && { authorization: `Bearer ${key}` }),
        ...given,
      },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const codeOf = async (response: Response) => (await response.json()).error.code;

  test('refuses pages of other sites, missing keys, long bodies, lists and other methods', async () => {
    const { key } = await svc.newPartner();
    expect((await post(key)).status).toBe(200);
    expect((await post(key, { origin: svc.origin })).status).toBe(200);
    for (const origin of ['https://evil.example', 'http://localhost:3000', 'null']) {
      const refused = await post(key, { origin });
      expect([origin, refused.status, await codeOf(refused)]).toEqual([
        origin,
        403,
        'browser_call',
      ]);
      expect(refused.headers.get('access-control-allow-origin')).toBeNull();
    }
    expect((await post(undefined)).status).toBe(401);
    expect((await post('svc_sandbox_wrong')).status).toBe(401);
    const long = await post(key, {}, { ...list, params: { text: 'x'.repeat(300_000) } });
    expect([long.status, await codeOf(long)]).toEqual([413, 'payload_too_large']);
    expect((await post(key, {}, [list, list])).status).toBe(400);
    expect((await post(key, {}, '{')).status).toBe(400);
    expect((await post(key, {}, { hello: 1 })).status).toBe(400);
    expect((await post(key, { 'mcp-protocol-version': '1999-01-01' })).status).toBe(400);
    const get = await fetch(`${svc.url}/mcp`, {
      headers: { authorization: `Bearer ${key}`, accept },
    });
    expect([get.status, get.headers.get('allow')]).toEqual([405, 'POST']);
    const unclear = await fetch(`${svc.url}/mcp?write=maybe`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept },
      body: JSON.stringify(list),
    });
    expect(unclear.status).toBe(422);
  });

  test('is in the request log with the name of the tool, and without its other input', async () => {
    const { key } = await svc.newPartner();
    const params = { name: 'show_tenant', arguments: { external_id: 'Ada Lane' } };
    await post(key, {}, { ...list, method: 'tools/call', params });
    const { data } = await svc.call('GET', '/partner/requests?path=/mcp', { key });
    expect(data.items).toMatchObject([{ method: 'POST', path: '/mcp', status: 200 }]);
    const id = data.items[0].request_id;
    const logged = await svc.call('GET', `/partner/requests/${id}`, { key });
    expect(logged.data.request_body).toMatchObject({
      method: 'tools/call',
      params: { name: 'show_tenant', arguments: '[redacted]' },
    });
  });

  test('does not exist in production, and a production key does not start the command', async () => {
    const production = await startRunning({ environment: 'production' });
    const { key } = await production.newPartner();
    const answer = await fetch(`${production.url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept },
      body: JSON.stringify(list),
    });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      error: { code: 'simulation_unavailable', message: expect.stringContaining('sandbox only') },
    });
    const wrong = await post(key);
    expect([wrong.status, await codeOf(wrong)]).toEqual([401, 'wrong_environment']);
    await production.close();
    const cli = await openCli();
    const ran = await cli.run(['mcp'], '', { SVC_API_KEY: key, SVC_URL: svc.url });
    expect(ran).toMatchObject({ code: 4, output: '' });
    expect(ran.errors).toContain('is for production, and agents work on a sandbox');
    await cli.close();
  });
});
