import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { listenLocally, openCli } from '../../../packages/cli/src/testing/open-cli.ts';
import { ada, useService } from './harness.ts';
import { insertTerms } from './support/insert-terms.ts';

// The partner's command line, with the whole service. Its own tests use a small server.

const svc = await useService();
const cli = await openCli();
const receiver = await listenLocally(() => ({ status: 204 }));
afterAll(async () => {
  await receiver.close();
  await cli.close();
});

const { key, pms } = await svc.newPartner();
await svc.call('POST', '/tenant/portal_info/t-100', { key, body: ada });
const run = (...args: string[]) => cli.run(args, '', { SVC_API_KEY: key, SVC_URL: svc.url });
const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).output);

test('login says whose key it is, and later commands use it', async () => {
  const { code, output } = await cli.run(['login', '--url', svc.url], `${key}\n`);
  expect({ code, output }).toMatchObject({ code: 0, output: expect.stringContaining(pms) });
  expect((await cli.run(['tenant', 'show', 't-100'])).output).toContain('t-100');
  const wrong = await cli.run(['login', '--url', svc.url], 'svc_sandbox_wrong');
  expect(wrong).toMatchObject({ code: 4, output: '' });
});

test('listen forwards what trigger publishes; events resend sends the same bytes again', async () => {
  const listening = cli.start(['listen', '--forward-to', `${receiver.origin}/hooks`], {
    SVC_API_KEY: key,
    SVC_URL: svc.url,
  });
  await expect.poll(listening.output).toContain('Ready.');
  const { id } = await json('trigger', 'settlement.created', '--tenant', 't-100');
  await expect
    .poll(() => receiver.received.map(({ headers }) => headers['webhook-id']))
    .toEqual([id]);
  await expect.poll(listening.output).toContain(`settlement.created  t-100  ${id} → 204`);
  expect((await listening.interrupt()).output).toContain('1 delivered');

  const [first] = receiver.received;
  const { data } = await svc.call('GET', `/webhooks/messages/${id}`, { key });
  expect(first?.body).toBe(data.body);
  expect((await run('events', 'resend', id)).code).toBe(0);
  expect(receiver.received[1]?.body).toBe(data.body);

  const tail = await run('events', 'tail', '--since', 'all', '--no-follow', '--json');
  expect(tail.output.split('\n')).toContain(data.body);
  const last = await run('events', 'tail', '--last', '1', '--no-follow');
  expect(last.output.trim().split('\n')).toHaveLength(1);
});

test('trigger --endpoint shows the response of the endpoint; events resend --endpoint replays', async () => {
  const { data: endpoint } = await svc.call('POST', '/webhooks/endpoints', {
    key,
    body: { url: `${receiver.origin}/endpoint` },
  });
  const sent = await run('trigger', 'plan.created', '--endpoint', endpoint.id);
  expect(sent).toMatchObject({
    code: 0,
    output: expect.stringMatching(/→ 204 {2}POST .*\(test\)/),
  });
  const { id } = await json('trigger', 'plan.created');
  await expect
    .poll(() => receiver.received.filter(({ headers }) => headers['webhook-id'] === id))
    .toHaveLength(1);
  expect((await run('events', 'resend', id, '--endpoint', endpoint.id)).code).toBe(0);
  await expect
    .poll(() => receiver.received.filter(({ headers }) => headers['webhook-id'] === id))
    .toHaveLength(2);
  const misspelled = ['--data', '{"plan_di":"pln_1"}'];
  const differing = await run('trigger', 'plan.created', '--endpoint', endpoint.id, ...misspelled);
  expect(differing.output + differing.errors).toContain(
    'Warning: Sent as given, but data.plan_di is not a field of plan.created. Did you mean plan_id?',
  );
  await svc.call('DELETE', `/webhooks/endpoints/${endpoint.id}`, { key });
  const gone = await run('trigger', 'plan.created', '--endpoint', endpoint.id);
  expect(gone).toMatchObject({
    code: 1,
    errors: expect.stringContaining('no endpoint with this id'),
  });
});

test('tenant advance moves the clock, show prints it, reset returns to real time', async () => {
  const date = '2026-02-01';
  await run('tenant', 'reset', 't-100');
  const advanced = await run('tenant', 'advance', 't-100', date);
  expect(advanced).toMatchObject({ code: 0, output: '✓ t-100 is at 2026-02-01T12:00:00.000Z\n' });
  expect(await json('tenant', 'advance', 't-100', '2d')).toMatchObject({
    simulated_time: '2026-02-03T12:00:00.000Z',
  });
  const shown = await run('tenant', 'show', 't-100');
  expect(shown.output).toMatch(/clock +2026-02-03T12:00:00/);
  expect((await run('tenant', 'reset', 't-100')).output).toBe('✓ t-100 is in real time\n');
  const far = await run('tenant', 'advance', 't-100', '2100-01-01');
  expect(far).toMatchObject({ code: 1, errors: expect.stringContaining('400 days') });
});

test('logs tail starts with the last calls, adds new ones, and leaves its own reads out', async () => {
  const { key: other } = await svc.newPartner();
  const call = (tenant: string) =>
    svc.call('POST', `/tenant/portal_info/${tenant}`, { key: other, body: ada });
  const variables = { SVC_API_KEY: other, SVC_URL: svc.url };
  const ended = () => cli.run(['logs', 'tail', '--no-follow'], '', variables);
  for (const tenant of ['t-1', 't-2', 't-3']) await call(tenant);
  await cli.run(['tenant', 'show', 't-1'], '', variables);
  // The service writes its log in batches.
  await expect.poll(async () => (await ended()).output.trim().split('\n')).toHaveLength(3);

  const tail = cli.start(['logs', 'tail', '--last', '1'], variables);
  await expect.poll(tail.output).toContain('t-3');
  await call('t-4');
  await expect.poll(tail.output).toContain('t-4');
  const { output } = await tail.interrupt();
  const tenants = output.match(/portal_info\/t-\d/g);
  expect(tenants).toEqual(['portal_info/t-3', 'portal_info/t-4']);
  expect(output.trim().split('\n')).toHaveLength(2);
});

test('tenant fork prints the copy, what was reproduced, and where to compare both', async () => {
  await run('scenario', 'split', 't-fork');
  const forked = await run('tenant', 'fork', 't-fork', '--fail-next-payment', 'R02');
  expect(forked).toMatchObject({ code: 0, errors: '' });
  const comparison = `${svc.url}/portal/time-machine?tenant=t-fork&copy=t-fork~fork-1`;
  for (const part of [
    '✓ t-fork~fork-1 is a copy of t-fork\n',
    /reproduced +\d+ webhooks\n/,
    'the next payment fails with R02',
    comparison,
  ]) {
    expect(forked.output).toMatch(part);
  }
  const later = await json('tenant', 'fork', 't-fork', '--advance', '2w', '--deliver-webhooks');
  expect(later).toMatchObject({ external_id: 't-fork~copy-1', forked_from: 't-fork', files: [] });
  const wrong = await run('tenant', 'fork', 't-fork', '--fail-next-payment', 'R999');
  expect(wrong).toMatchObject({ code: 1, errors: expect.stringContaining('--fail-next-payment') });
  const nowhere = await run('tenant', 'fork', 't-fork', '--at', 'evt_none');
  expect(nowhere).toMatchObject({ code: 1, errors: expect.stringContaining('evt_none') });
});

test('a refused fork prints the first difference, and where to compare both', async () => {
  const other = await svc.newPartner();
  const variables = { SVC_API_KEY: other.key, SVC_URL: svc.url };
  await cli.run(['scenario', 'split', 't-differs'], '', variables);
  await insertTerms(svc.db, { fee_in_cents: 4_000 }, { partnerId: other.id });
  const args = ['tenant', 'fork', 't-differs', '--as', 'pytest', '--out', 'refused'];
  const { code, output, errors } = await cli.run(args, '', variables);
  expect({ code, output }).toEqual({ code: 1, output: '' });
  expect(errors).toContain('data.fee_in_cents was 3000, and is 4000 in the copy');
  expect(errors).toContain('/portal/time-machine?tenant=t-differs&copy=t-differs~fork-1');
  await expect(readdir(join(cli.home, 'refused'))).rejects.toThrow('ENOENT');
});

test('tenant fork --as writes a test with its recording, and overwrites nothing', async () => {
  await run('scenario', 'split', 't/ex‘port');
  const forkAs = (runner: string, ...more: string[]) =>
    run('tenant', 'fork', 't/ex‘port', '--as', runner, '--out', 'tests', ...more);
  const folder = join(cli.home, 'tests');
  const vitest = await forkAs('vitest', '--advance', '30d');
  expect(vitest).toMatchObject({ code: 0, errors: '' });
  expect(vitest.output).toContain('Run it: npx vitest run tests/t-ex-port.test.ts');
  expect(await readFile(join(folder, 't-ex-port.test.ts'), 'utf8')).toContain("'t/ex‘port'");
  const recording = join(folder, 't-ex-port.recording.json');
  const written = await readFile(recording, 'utf8');
  expect(JSON.parse(written)).toMatchObject({ version: 1, external_id: 't/ex‘port' });

  await writeFile(recording, 'mine');
  const taken = await forkAs('pytest');
  expect(taken).toMatchObject({ code: 1, output: '' });
  expect(taken.errors).toContain('There already is t-ex-port.recording.json.');
  expect(await readFile(recording, 'utf8')).toBe('mine');
  expect(await forkAs('pytest', '--force')).toMatchObject({ code: 0 });
  expect((await readdir(folder)).sort()).toEqual([
    't-ex-port.recording.json',
    't-ex-port.test.ts',
    'test_t_ex_port.py',
  ]);
});
