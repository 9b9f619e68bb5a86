import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CertificationCaseOutput, CertificationOutput } from '@svc/contract';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import { envelope, listenLocally, openCli, type Received, refusal } from '../testing/open-cli.ts';
import { hostile, sampleRun, signedRun } from '../testing/sample-run.ts';

const key = 'svc_sandbox_abcdefghijklmnop';
const cli = await openCli();
afterAll(() => cli.close());

/** The service's state: a run with four cases, and the result that each of them will have. */
const service = {
  environment: 'sandbox',
  run: sampleRun(),
  results: new Map<string, Partial<CertificationCaseOutput>>(),
  /** Called before a case is answered. */
  onCase: (_name: string) => {},
  refusals: new Map<string, ReturnType<typeof refusal>>(),
};
let server: Awaited<ReturnType<typeof listenLocally>>;
let page: Awaited<ReturnType<typeof listenLocally>>;

const pending = (run: CertificationOutput): CertificationOutput => ({
  ...run,
  state: 'running',
  finished_at: null,
  verdict: null,
  signed_report: null,
  cases: run.cases.map((it) => ({ ...it, status: 'pending', summary: null, steps: [] })),
});

beforeEach(async () => {
  service.environment = 'sandbox';
  service.run = pending(sampleRun());
  service.results = new Map(sampleRun().cases.map((it) => [String(it.name), it]));
  service.onCase = () => {};
  service.refusals = new Map();
  server = await listenLocally(answer);
  page = await listenLocally(() => ({ status: 200, body: '<h1>Rent</h1>' }));
});
afterEach(async () => {
  await server.close();
  await page.close();
});

function answer({ method, path, body }: Received) {
  const route = `${method} ${path.replace(/^\/v1/, '').replace(/\?.*/, '')}`;
  const refused = service.refusals.get(route);
  if (refused) return refused;
  const [, name] = /^POST \/certifications\/crt_1\/cases\/(\w+)$/.exec(route) ?? [];
  if (name !== undefined) {
    service.onCase(name);
    return envelope(store(name, service.results.get(name) ?? { status: 'pass' }));
  }
  switch (route) {
    case 'GET /partner':
      return envelope({ pms: 'maple', environment: service.environment });
    case 'POST /certifications':
    case 'GET /certifications/crt_1':
      return envelope(service.run);
    case 'PUT /certifications/crt_1/page_results': {
      for (const { case: of, docs, ...result } of JSON.parse(body).results) {
        store(of, { ...result, docs_url: docs ? `https://svc.example${docs}` : null });
      }
      return envelope(service.run);
    }
    case 'POST /partner/doctor':
      return envelope({
        checks: [{ id: 'csp', status: 'fail', detail: 'It blocks the frame.', fix: 'Allow it.' }],
      });
    case 'POST /certifications/crt_1/finish': {
      const isFailed = service.run.cases.some(({ status }) => status === 'fail');
      const { verdict } = sampleRun();
      const state = isFailed ? ('failed' as const) : ('incomplete' as const);
      return envelope({ ...sampleRun(), cases: service.run.cases, state, verdict });
    }
    default:
      return refusal(404, 'not_found', 'There is nothing at this address.');
  }
}

function store(name: string, result: Partial<CertificationCaseOutput>) {
  const cases = service.run.cases.map((it) => (it.name === name ? { ...it, ...result } : it));
  service.run = { ...service.run, cases };
  return cases.find((it) => it.name === name);
}

const run = (line: string, variables: Record<string, string> = {}) =>
  cli.run(['certify', ...line.split(' ').filter(Boolean)], '', {
    SVC_API_KEY: key,
    SVC_URL: server.origin,
    ...variables,
  });

const routes = () => server.received.map(({ method, path }) => `${method} ${path}`);

test('runs each case, says what broke and how to fix it, and fails', async () => {
  const { code, output } = await run('');
  expect(code).toBe(1);
  expect(output).toContain('Certifying maple at');
  expect(output).toMatch(/Receiver\n✓ handshake {12}A valid webhook .* 120 ms\n✗ duplicates/);
  expect(output).toContain('    You debited $1,520.12 twice. <script>');
  expect(output).toContain('    Cause: Your receiver does not store the webhook-id');
  expect(output).toContain('    Fix:   Store each webhook-id in the transaction');
  expect(output).toContain('    https://svc.example/docs/webhooks#a-receiver');
  expect(output).toMatch(/- debited_once .*\n {4}Without a tenant query/);
  expect(output).toContain('✗ 2 of 4 cases passed');
  // A receiver's text cannot move the cursor.
  expect(output).not.toContain('\u001b');
  // Nothing was asked of the page, because no page was given.
  expect(routes().some((route) => route.includes('page_results'))).toBe(false);
});

test('passes if no case failed, and writes the report', async () => {
  service.results.set('duplicates', { status: 'pass' });
  const { code, output } = await run('--out report/certify');
  expect(code).toBe(0);
  expect(output).toContain('Not run: debited_once');
  const folder = join(cli.home, 'report/certify');
  for (const name of ['certify.html', 'certify.json', 'certify.xml', 'certify.svg']) {
    expect(output).toContain(join(folder, name));
    expect(readFileSync(join(folder, name), 'utf8')).not.toContain(hostile);
  }
  expect(JSON.parse(readFileSync(join(folder, 'certify.json'), 'utf8')).state).toBe('incomplete');
});

test('--json prints the run as one document', async () => {
  const { code, output } = await run('--json');
  expect(code).toBe(1);
  expect(JSON.parse(output)).toMatchObject({ id: 'crt_1', state: 'failed' });
});

test('--only runs some cases, after the handshake that they need', async () => {
  await run('--only duplicates');
  const cases = routes().filter((route) => route.includes('/cases/'));
  expect(cases.map((route) => route.split('/').at(-1))).toEqual(['handshake', 'duplicates']);
});

test('--tenant-query, --endpoint, --variant, --tenants and --anyway start the run', async () => {
  await run(
    '--only handshake --tenant-query http://x.example/t --endpoint ep_2 --variant hoa --tenants t-1,t-2 --anyway',
  );
  const started = server.received.find(({ path }) => path.endsWith('/certifications'));
  expect(JSON.parse(started?.body ?? '')).toEqual({
    endpoint_id: 'ep_2',
    tenant_query_url: 'http://x.example/t',
    product_variant: 'hoa',
    tenants: ['t-1', 't-2'],
    anyway: true,
  });
});

test('without a browser the doctor reads the page, and the report says so', async () => {
  const cases = service.run.cases.map((it) =>
    it.area === 'page' ? { ...it, name: 'csp' as const } : it,
  );
  service.run = { ...service.run, cases };
  const { code, output } = await run(`--page ${page.origin}/rent`, { PATH: '' });
  expect(code).toBe(1);
  expect(output).toMatch(/✗ csp .*\n {4}It blocks the frame\./);
  expect(output).toContain('This was read without a browser.');
  expect(output).toContain('Fix:   Allow it.');
});

test('without a browser, a case that needs one is skipped with the reason', async () => {
  const { output } = await run(`--page ${page.origin}/rent --only service_down`, { PATH: '' });
  expect(output).toMatch(/- service_down .*\n {4}No Chrome, Chromium or Edge was found/);
});

test('Ctrl-C keeps the run, and says how to continue it', async () => {
  const running = cli.start(['certify'], { SVC_API_KEY: key, SVC_URL: server.origin });
  const ended = new Promise<Awaited<ReturnType<typeof running.interrupt>>>((resolve) => {
    service.onCase = (name) => {
      if (name === 'duplicates') resolve(running.interrupt());
    };
  });
  const { code, output, errors } = await ended;
  expect(code).toBe(130);
  expect(output).toContain('✓ handshake');
  expect(errors).toContain('svc certify --resume crt_1');
  expect(routes()).not.toContain('POST /v1/certifications/crt_1/finish');

  service.onCase = () => {};
  server.received.length = 0;
  const resumed = await run('--resume crt_1');
  expect(resumed.output).toContain('✗ 2 of 4 cases passed');
  const again = routes().filter((route) => route.includes('/cases/'));
  expect(again.map((route) => route.split('/').at(-1))).not.toContain('handshake');
});

test.each<[string, string, ReturnType<typeof refusal>, number, string[]]>([
  [
    'another run is open',
    'POST /certifications',
    refusal(409, 'certification_running', 'The run crt_9 is not finished.'),
    1,
    ['The run crt_9 is not finished.', 'Continue it with --resume crt_9'],
  ],
  [
    'several endpoints are enabled',
    'POST /certifications',
    refusal(422, 'validation_failed', 'Name the endpoint_id: ep_1 or ep_2.'),
    1,
    ['Name the --endpoint: ep_1 or ep_2.'],
  ],
  [
    'the service is older',
    'POST /certifications',
    refusal(404, 'not_found', 'There is nothing at this address.'),
    1,
    ['is older than "svc certify".'],
  ],
  [
    'a case fails at the service',
    'POST /certifications/crt_1/cases/handshake',
    refusal(422, 'validation_failed', 'It cannot run.'),
    1,
    ['It cannot run.', 'Continue the run with --resume crt_1.'],
  ],
])('when %s, it says what to do', async (_, route, refused, code, parts) => {
  service.refusals.set(route, refused);
  const ran = await run('');
  expect(ran.code).toBe(code);
  for (const part of parts) expect(ran.errors).toContain(part);
});

test.each<[string, number, string[]]>([
  ['--only duplicate', 2, ['"duplicate" is not a case. Did you mean duplicates?', '--help']],
  ['--only weather', 2, ['"weather" is not a case.', '--help']],
  ['--only ,', 2, ['A list is empty.']],
  ['--page portal.example', 2, ['"portal.example" is not the address of a page.']],
  ['--tenant-query ftp://x', 2, ['--tenant-query: "ftp://x" is not the address of a page.']],
  ['--cookie a=1', 2, ['--cookie is for a page.']],
  ['--page http://x --cookie secret', 2, ['A cookie has a name and a value.']],
  ['--browser /none/chrome', 2, ['There is no browser at /none/chrome.']],
  ['--resume crt_none', 1, ['There is no run crt_none.', 'svc certify']],
  ['verify', 2, ["Missing required argument 'file'"]],
  ['verify none.json', 2, ['Cannot read none.json: ENOENT.']],
])('certify %s is refused', async (line, code, parts) => {
  const ran = await run(line);
  expect(ran.code).toBe(code);
  for (const part of parts) expect(ran.errors).toContain(part);
  expect(ran.errors).not.toContain('secret');
});

test('a page that does not answer is refused before the run begins', async () => {
  await page.close();
  const ran = await run(`--page ${page.origin}/rent`);
  expect([ran.code, ran.errors]).toEqual([
    1,
    expect.stringContaining(`Nothing listens at ${page.origin}.`),
  ]);
  expect(routes()).not.toContain('POST /v1/certifications');
  page = await listenLocally(() => ({ status: 204 }));
});

test('a production key is refused, and a finished run is not resumed', async () => {
  service.run = { ...sampleRun(), state: 'passed' };
  const finished = await run('--resume crt_1');
  expect([finished.code, finished.errors]).toEqual([
    1,
    expect.stringContaining('The run crt_1 is passed.'),
  ]);
  service.environment = 'production';
  const production = await run('');
  expect([production.code, production.errors]).toEqual([
    4,
    expect.stringContaining('runs in the sandbox only'),
  ]);
});

test('verify needs no key, says version and day, and notices a change', async () => {
  const { run: signed, keys } = signedRun();
  const issuer = await listenLocally(() => envelope(keys));
  const file = join(cli.home, 'certify.json');
  const verify = (url = issuer.origin) => cli.run(['certify', 'verify', file, '--url', url]);
  writeFileSync(file, JSON.stringify(signed, null, 2));
  expect(existsSync(file)).toBe(true);
  const valid = await verify();
  expect([valid.code, valid.errors]).toEqual([0, '']);
  expect(valid.output).toContain('has signed this report, and it was not changed.');
  expect(valid.output).toContain('2026-02-01, service 0.3.0, run crt_1');

  writeFileSync(file, JSON.stringify({ ...signed, state: 'passed' }));
  const changed = await verify();
  expect([changed.code, changed.errors]).toEqual([
    1,
    expect.stringContaining('The file was changed after it was signed: state.'),
  ]);
  const elsewhere = await verify(server.origin);
  expect([elsewhere.code, elsewhere.errors]).toEqual([
    1,
    expect.stringContaining('has no keys for reports.'),
  ]);
  await issuer.close();
});
