import { execFile } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { signWidget } from '@svc/node';
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest';
import { useService } from './harness.ts';

// Runs the quickstart of each client in clients/, as the docs print it, against a running service, and checks how
// each client verifies good and bad signatures. `npm run clients` generates the clients first. A language that is
// not installed is skipped by name. SVC_TEST_BUILT keeps clients that are generated already.

const minutes = 60_000;
const execute = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const clients = join(root, 'dist/clients');
const folder = mkdtempSync(join(tmpdir(), 'svc-quickstarts-'));

const svc = await useService({}, new Date().toISOString());
const deliveries: { headers: IncomingHttpHeaders; body: Buffer }[] = [];
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  deliveries.push({ headers: request.headers, body: Buffer.concat(chunks) });
  response.writeHead(204).end();
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
afterAll(() => {
  receiver.closeAllConnections();
  receiver.close();
  rmSync(folder, { recursive: true, force: true });
});

let whyNotGenerated: string | undefined;
beforeAll(async () => {
  const args = ['--conditions=source', '--import', 'tsx', 'scripts/clients/main.ts'];
  const java = await execute('java', ['-version']).catch(() => undefined);
  // Without the jar, Maven would download it: tests use no network.
  if (process.env.SVC_TEST_BUILT && existsSync(clients)) return;
  if (!process.env.SVC_OPENAPI_GENERATOR) {
    whyNotGenerated = 'SVC_OPENAPI_GENERATOR does not name the generator’s jar.';
  } else if (!java) whyNotGenerated = 'Java is not installed.';
  else await execute('node', args, { cwd: root });
}, 6 * minutes);

/** Runs a program. Its error includes what it printed: compilers print what is wrong to stdout. */
async function run(
  program: string,
  args: readonly string[],
  {
    env = process.env,
    cwd = root,
    input = '',
  }: { env?: NodeJS.ProcessEnv; cwd?: string; input?: string } = {},
) {
  try {
    const running = execute(program, args, { env, cwd });
    running.child.stdin?.end(input);
    return (await running).stdout;
  } catch (cause) {
    const { message, stdout } = cause as Error & { stdout: string };
    throw new Error(`${message}\n${stdout}`, { cause });
  }
}

/** A project with the clients next to it, as the docs have it, and the examples as its programs. */
function createProject(language: string): string {
  const project = join(folder, language);
  cpSync(join(clients, language, 'examples'), project, { recursive: true });
  symlinkSync(clients, join(project, 'clients'));
  return project;
}

async function need(
  context: TestContext,
  program: string,
  args: readonly string[],
  cwd?: string,
): Promise<void> {
  if (whyNotGenerated) context.skip(whyNotGenerated);
  const missing = await run(program, args, cwd ? { cwd } : {}).then(
    () => undefined,
    (error: Error) => error.message.split('\n')[0],
  );
  if (missing) context.skip(missing);
}

/** Creates a partner with two tenants, and an endpoint at our receiver. */
async function createEndpoint(settings: object = {}) {
  const { key } = await svc.newPartner();
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/hook`;
  const { data: endpoint } = await svc.call('POST', '/webhooks/endpoints', {
    key,
    body: { url, event_types: ['tenant.updated'], ...settings },
  });
  const { data } = await svc.call('GET', `/webhooks/endpoints/${endpoint.id}/secret`, { key });
  for (const id of ['t-1', 't-2']) await updateTenant(key, id, 'zoe@example.com');
  return { key, endpoint, secret: data.secret as string };
}

function updateTenant(key: string, id: string, email: string) {
  const body = { first_name: 'Zoë', last_name: 'Lane', email, charges: [] };
  return svc.call('POST', `/tenant/portal_info/${id}`, { key, body });
}

/** Changes a tenant's address, and returns the webhook about it. */
async function nextDelivery(key: string, email: string) {
  deliveries.length = 0;
  // The clients check a webhook's age by the system's clock, and compiling them took minutes.
  // The engine signs with settings that are up to a second old.
  svc.clock.advance(Math.max(2_000, Date.now() - svc.clock.now().getTime()));
  await updateTenant(key, 't-1', email);
  await svc.engine.idle();
  const [delivery] = deliveries;
  if (!delivery) throw new Error('No webhook came.');
  return {
    body: delivery.body,
    id: String(delivery.headers['webhook-id']),
    timestamp: String(delivery.headers['webhook-timestamp']),
    signature: String(delivery.headers['webhook-signature']),
  };
}

/** Prepares the quickstart, which writes a third tenant. */
async function prepare() {
  const { key, endpoint, secret } = await createEndpoint();
  const delivery = await nextDelivery(key, 'zoe.lane@example.com');
  const file = join(folder, `${endpoint.id}.json`);
  writeFileSync(file, delivery.body);
  const env = {
    ...process.env,
    SVC_API_KEY: key,
    SVC_BASE_URL: `${svc.url}/v1`,
    SVC_WEBHOOK_SECRET: secret,
    WEBHOOK_BODY_FILE: file,
    WEBHOOK_ID: delivery.id,
    WEBHOOK_TIMESTAMP: delivery.timestamp,
    WEBHOOK_SIGNATURE: delivery.signature,
  };
  const signature = await signWidget({ apiKey: key, pms: 'my-portal', externalId: 't-100' });
  const expected = [
    `signature ${signature}`,
    'token true',
    'tenants 3',
    'error 404 plan_not_found',
    'webhook t-1 email',
  ];
  return { env, expected };
}

/** Runs the quickstart twice: with the webhook as it came, which it prints, and with a changed body. */
async function expectQuickstart(
  program: string,
  args: readonly string[],
  { cwd = root, ...more }: { cwd?: string; SVC_AUTOLOAD?: string } = {},
) {
  const { env, expected } = await prepare();
  const stdout = await run(program, args, { env: { ...env, ...more }, cwd });
  expect(stdout.toLowerCase().trim().split('\n')).toEqual(expected);
  const forged = { ...env, ...more, WEBHOOK_ID: 'evt_forged' };
  const refused = await run(program, args, { env: forged, cwd }).catch(
    (error: Error) => error.message,
  );
  expect(refused).toMatch(/no signature matches/i);
}

const verified = 'verified tenant.updated t-1';
const noMatch = /^refused .*no signature matches/i;
const otherKind = /^refused .*no signature is of your key's kind.* whpk_ key verifies v1a/i;
const tooOld = /^refused .*the message is too old/i;
const misconfigured = /^misconfigured .*(whpk_ followed|whsec_ followed|no secret or public key)/i;

/** Returns messages that the service signed with its key pairs, and altered copies, each with the expected answer. */
async function signedMessages() {
  const { key, endpoint, secret } = await createEndpoint({ asymmetric_signature: true });
  const [first] = endpoint.public_keys as { public_key: string }[];
  const before = await nextDelivery(key, 'zoe.lane@example.com');
  const [hmac = '', ed25519 = ''] = before.signature.split(' ');
  const rotate = `/webhooks/endpoints/${endpoint.id}/public_key/rotate`;
  const { data: rotated } = await svc.call('POST', rotate, { key, body: {} });
  const keys = (rotated.public_keys as { public_key: string }[]).map((it) => it.public_key);
  const during = await nextDelivery(key, 'zoe@example.com');
  expect(hmac).toMatch(/^v1,/);
  expect(during.signature).toMatch(/^v1,\S+ v1a,\S+ v1a,\S+$/);
  expect(keys).toHaveLength(2);

  const old = first?.public_key ?? '';
  const [renewed = ''] = keys.filter((it) => it !== old);
  const changed = Buffer.from(before.body.toString().replace('t-1', 't-2'));
  const aged = String(Math.floor(Date.now() / 1000) - 301);
  const signedLate = signedAt(aged, before);
  const stranger = signedLate.key;
  return [
    [old, before, verified],
    [secret, before, verified],
    [`${stranger} ${old}`, before, verified],
    [`${secret} ${old}`, before, verified],
    [old, { ...before, signature: ed25519 }, verified],
    [secret, { ...before, signature: ed25519 }, otherKind],
    [old, { ...before, signature: hmac }, otherKind],
    [`${old} ${secret}`, { ...before, signature: hmac }, verified],
    [old, { ...before, signature: `v1a,AAAA v2,AAAA ${ed25519}` }, verified],
    [old, { ...before, signature: ed25519.replace('v1a', 'v1') }, otherKind],
    [stranger, before, noMatch],
    [old, { ...before, body: changed }, noMatch],
    [old, { ...before, id: `${before.id}0` }, noMatch],
    [old, { ...before, timestamp: String(Number(before.timestamp) + 1) }, noMatch],
    [signedLate.key, { ...before, timestamp: aged, signature: signedLate.signature }, tooOld],
    ...['v1a,', 'v1a,@@', ed25519.slice(0, -4), `${ed25519}AAAA`].map(
      (signature) => [old, { ...before, signature }, noMatch] as const,
    ),
    [old, during, verified],
    [renewed, during, verified],
    [`${old} ${renewed}`, during, verified],
    [renewed, before, noMatch],
    ...['', 'whsec_', 'whsec_@@@', 'whpk_', 'whpk_AAAA', 'whpk_@@@'].map(
      (none) => [none, before, misconfigured] as const,
    ),
  ] as const;
}

/** A genuine signature of another time, with the key that verifies it. */
function signedAt(timestamp: string, { id, body }: { id: string; body: Buffer }) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const bytes = sign(null, Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]), privateKey);
  const key = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
  return { key: `whpk_${key.toString('base64')}`, signature: `v1a,${bytes.toString('base64')}` };
}

/** Runs the program of a language that verifies messages, one a line, and compares each of its answers. */
async function expectVerification(
  program: string,
  args: readonly string[],
  { cwd = root, whpk, ...more }: { cwd?: string; SVC_AUTOLOAD?: string; whpk?: RegExp } = {},
) {
  const messages = await signedMessages();
  const input = messages.map(([keys, { id, timestamp, signature, body }]) =>
    [keys, id, timestamp, signature, body.toString('base64')].join('\t'),
  );
  const env = { ...process.env, ...more };
  const stdout = await run(program, args, { env, cwd, input: `${input.join('\n')}\n` });
  const answers = stdout.trim().split(/\r?\n/);
  const expected = messages.map(([keys, , answer]) => {
    const wanted = whpk && keys.includes('whpk_') ? whpk : answer;
    return typeof wanted === 'string' ? wanted : expect.stringMatching(wanted);
  });
  expect(answers).toEqual(expected);
}

const timeout = 5 * minutes;

test('Python', { timeout }, async (context) => {
  await need(context, 'python3', ['-m', 'venv', join(folder, 'venv')]);
  const python = join(folder, 'venv/bin/python');
  const cwd = createProject('python');
  await need(context, python, ['-m', 'pip', 'install', '-q', './clients/python'], cwd);
  await expectQuickstart(python, ['quickstart.py'], { cwd });
  const whpk = /^misconfigured A whpk_ key needs the package cryptography/;
  await expectVerification(python, ['verify.py'], { cwd, whpk });
  await run(python, ['-m', 'pip', 'install', '-q', './clients/python[public-keys]'], { cwd });
  await expectVerification(python, ['verify.py'], { cwd });
});

test('Ruby', { timeout }, async (context) => {
  await need(context, 'ruby', ['-e', 'require "typhoeus"; require "bundler"']);
  const cwd = createProject('ruby');
  // Without a source, Bundler takes the gems that are installed.
  writeFileSync(join(cwd, 'Gemfile'), "gem 'svc-client', path: 'clients/ruby'\n");
  await run('bundle', ['install', '--quiet'], { cwd });
  await expectQuickstart('bundle', ['exec', 'ruby', 'quickstart.rb'], { cwd });
  await expectVerification('bundle', ['exec', 'ruby', 'verify.rb'], { cwd });
});

test('PHP', { timeout }, async (context) => {
  // Debian's package of Guzzle. A project has Composer's autoloader instead.
  const guzzle = '/usr/share/php/GuzzleHttp/autoload.php';
  await need(context, 'php', [
    '-r',
    `require '${guzzle}'; exit(extension_loaded('curl') ? 0 : 1);`,
  ]);
  const autoload = join(folder, 'autoload.php');
  writeFileSync(
    autoload,
    `<?php require '${guzzle}'; require '${join(clients, 'php/autoload.php')}';`,
  );
  const examples = join(clients, 'php/examples');
  await expectQuickstart('php', [join(examples, 'quickstart.php')], { SVC_AUTOLOAD: autoload });
  await expectVerification('php', [join(examples, 'verify.php')], { SVC_AUTOLOAD: autoload });
});

test('Java', { timeout }, async (context) => {
  await need(context, 'mvn', ['-version']);
  const java = join(clients, 'java');
  const libraries = join(folder, 'java-libraries');
  const resolve = ['dependency:copy-dependencies', `-DoutputDirectory=${libraries}`];
  await run('mvn', ['-q', '-B', '-f', join(java, 'pom.xml'), 'compile', ...resolve]);
  const path = `${libraries}/*:${join(java, 'target/classes')}`;
  await expectQuickstart('java', ['-cp', path, join(java, 'examples/Quickstart.java')]);
  await expectVerification('java', ['-cp', path, join(java, 'examples/Verify.java')]);
});

// The nearest to .NET where we test is Mono, with Debian's Newtonsoft.Json 6: it has no naming strategies,
// which the models do not need, because each field has its name. Nothing here has Polly or BouncyCastle: libsodium
// replaces the latter's ed25519.
const newtonsoft = '/usr/lib/cli/Newtonsoft.Json-5.0/Newtonsoft.Json.dll';
const polly = `
namespace Polly {
  using System; using System.Threading.Tasks;
  public enum OutcomeType { Successful, Failure }
  public class PolicyResult<T> { public OutcomeType Outcome; public T Result; public Exception FinalException; }
  public interface ISyncPolicy<T> { PolicyResult<T> ExecuteAndCapture(Func<T> action); }
  public interface IAsyncPolicy<T> {
    Task<PolicyResult<T>> ExecuteAndCaptureAsync(Func<Task<T>> action);
  }
}`;
const bouncyCastle = `
namespace Org.BouncyCastle.Math.EC.Rfc8032 {
  using System.Runtime.InteropServices;
  public static class Ed25519 {
    [DllImport("libsodium.so.23")]
    static extern int crypto_sign_verify_detached(byte[] signature, byte[] message, ulong length, byte[] key);
    public static bool Verify(
      byte[] sig, int sigOff, byte[] pk, int pkOff, byte[] m, int mOff, int mLen
    ) => crypto_sign_verify_detached(sig, m, (ulong)mLen, pk) == 0;
  }
}`;

test('C#', { timeout }, async (context) => {
  await need(context, 'mcs', ['--version']);
  await need(context, 'mono', ['--version']);
  if (!existsSync(newtonsoft)) context.skip('libnewtonsoft-json5.0-cil is not installed');
  const cwd = createProject('csharp');
  const client = join(cwd, 'Svc.Api');
  cpSync(join(clients, 'csharp/Svc.Api'), client, { recursive: true });
  for (const name of ['Client/ApiClient.cs', 'Model/AbstractOpenAPISchema.cs']) {
    const code = readFileSync(join(client, name), 'utf8');
    const strategy = /NamingStrategy = new CamelCaseNamingStrategy\s*\{[^}]*\}/g;
    writeFileSync(join(client, name), code.replace(strategy, ''));
  }
  writeFileSync(join(cwd, 'polly.cs'), polly);
  writeFileSync(join(cwd, 'bouncy-castle.cs'), bouncyCastle);
  copyFileSync(newtonsoft, join(cwd, basename(newtonsoft)));
  const libraries = [
    'Newtonsoft.Json.dll',
    'System.ComponentModel.DataAnnotations',
    'System.Net.Http',
    'System.Runtime.Serialization',
    'System.Web',
  ];
  const sources = ['-recurse:Svc.Api/*.cs', 'polly.cs', 'bouncy-castle.cs'];
  const flags = ['-langversion:7.2', ...libraries.map((name) => `-r:${name}`)];
  const assemblies = ['-target:library', '-out:Svc.Api.dll', ...sources];
  await run('mcs', [...flags, ...assemblies], { cwd });
  for (const name of ['Quickstart', 'Verify']) {
    await run('mcs', [...flags, '-r:Svc.Api.dll', `-out:${name}.exe`, `${name}.cs`], { cwd });
  }
  await expectQuickstart('mono', ['Quickstart.exe'], { cwd });
  await expectVerification('mono', ['Verify.exe'], { cwd });
});

test('Go', { timeout }, async (context) => {
  await need(context, 'go', ['version']);
  const cwd = createProject('go');
  await run('go', ['mod', 'init', 'portal'], { cwd });
  const edit = ['-require=svc@v0.0.0', '-replace=svc=./clients/go'];
  await run('go', ['mod', 'edit', ...edit], { cwd });
  await run('go', ['build', '-o', 'programs/', './quickstart', './verify'], { cwd });
  await expectQuickstart(join(cwd, 'programs/quickstart'), [], { cwd });
  await expectVerification(join(cwd, 'programs/verify'), [], { cwd });
});
