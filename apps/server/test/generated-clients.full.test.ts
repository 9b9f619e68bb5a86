import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { eventTypes } from '@svc/contract';
import { afterAll, expect, type TestContext, test } from 'vitest';
import { asyncApiDocument } from '../src/http/docs/asyncapi.ts';
import { openApiDocument } from '../src/http/docs/openapi.ts';
import { routes } from '../src/http/routes.ts';
import { useService } from './harness.ts';

// Lints the OpenAPI and AsyncAPI documents and generates clients from it, with tools that are installed for the test.
// What a machine lacks (Python, Go, a registry) is skipped by name.

const minutes = 60_000;
/** Most of it is the installation of a tool. */
const timeout = 10 * minutes;
const execute = promisify(execFile);

interface Options {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly timeout?: number;
}

/** Runs a program. Its error includes what the program printed: compilers print what is wrong to stdout. */
async function run(program: string, args: readonly string[], options: Options = {}) {
  try {
    return await execute(program, args, options);
  } catch (cause) {
    const { message, stdout } = cause as Error & { stdout: string };
    throw Object.assign(new Error(`${message}\n${stdout}`, { cause }), { stdout });
  }
}
const root = fileURLToPath(new URL('../../../', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'svc-clients-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const svc = await useService();
const partner = await svc.newPartner();
const baseUrl = `${svc.url}/v1`;
const document = join(folder, 'openapi.json');
// Linters refuse servers on localhost.
const service = { ...svc.service, publicOrigin: 'https://sandbox.svc.dev' };
const described = openApiDocument(routes, service);
writeFileSync(document, JSON.stringify(described));

interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: { readonly 'application/json'?: Body } };
  readonly 'x-codeSamples': readonly { readonly label: string; readonly source: string }[];
}

const operations = Object.values(
  described.paths as Record<string, Record<string, Operation>>,
).flatMap((methods) => Object.values(methods));

const tools = {
  '@asyncapi/parser': '3.6.6',
  '@redocly/cli': '2.77.0',
  '@stoplight/spectral-cli': '6.16.3',
  'openapi-typescript': '7.13.0',
  typescript: '5.9.3',
};

/** Runs a program; the test is skipped if it is not there, or cannot fetch what it needs. */
async function setUp(context: TestContext, name: string, command: string, args: string[]) {
  try {
    await run(command, args, { cwd: folder, timeout: 8 * minutes });
  } catch (error) {
    context.skip(`${name} could not be installed: ${(error as Error).message.split('\n')[0]}`);
  }
}

async function installTool(context: TestContext, name: keyof typeof tools): Promise<void> {
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const packages = [name, ...(name === 'openapi-typescript' ? (['typescript'] as const) : [])];
  const exact = packages.map((it) => `${it}@${tools[it]}`);
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-save'];
  await setUp(context, name, 'npm', ['install', ...flags, ...exact]);
}

function bin(name: string): string {
  return join(folder, 'node_modules/.bin', name);
}

test('the parser of AsyncAPI finds nothing', { timeout }, async (context) => {
  await installTool(context, '@asyncapi/parser');
  writeFileSync(join(folder, 'asyncapi.json'), JSON.stringify(asyncApiDocument(service)));
  writeFileSync(join(folder, 'parse.cjs'), parserProgram);
  const { stdout } = await run('node', ['parse.cjs', 'asyncapi.json'], { cwd: folder });
  expect(JSON.parse(stdout)).toEqual({ diagnostics: [], sent: eventTypes.length });
});

const parserProgram = `
const { readFileSync } = require('node:fs');
const { Parser } = require('@asyncapi/parser');
// 3.0 is on purpose: not every tool reads 3.1.
const isFinding = ({ code }) => code !== 'asyncapi-latest-version';
const parser = new Parser();
parser.parse(readFileSync(process.argv[2], 'utf8')).then(({ document, diagnostics }) => {
  const sent = document?.operations().filterBySend().length;
  console.log(JSON.stringify({ diagnostics: diagnostics.filter(isFinding), sent }));
});
`;

const env = { ...process.env, SVC_API_KEY: partner.key, SVC_BASE_URL: baseUrl };

test('redocly finds nothing, with its strict rules', { timeout }, async (context) => {
  await installTool(context, '@redocly/cli');
  const args = ['lint', '--extends', 'recommended-strict', '--format', 'json', document];
  const { stdout } = await run(bin('redocly'), args, { cwd: folder });
  expect(JSON.parse(stdout.slice(stdout.indexOf('{'))).problems).toEqual([]);
});

test('spectral finds nothing', { timeout }, async (context) => {
  await installTool(context, '@stoplight/spectral-cli');
  writeFileSync(join(folder, 'ruleset.yaml'), 'extends: ["spectral:oas"]\n');
  const args = ['lint', document, '-r', 'ruleset.yaml', '-f', 'json'];
  // It exits with 1 when it finds errors, and prints them all the same.
  const { stdout } = await run(bin('spectral'), args, { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  );
  // A summary follows the list.
  expect(JSON.parse(stdout.slice(0, stdout.lastIndexOf(']') + 1))).toEqual([]);
});

test('types of openapi-typescript compile and describe a call', { timeout }, async (context) => {
  await installTool(context, 'openapi-typescript');
  await run(bin('openapi-typescript'), [document, '-o', 'api.ts'], { cwd: folder });
  writeFileSync(join(folder, 'use.ts'), typeScriptProgram + documentedBodies());
  const flags = ['--strict', '--target', 'es2022', '--module', 'nodenext', '--skipLibCheck'];
  await run(bin('tsc'), [...flags, 'use.ts'], { cwd: folder });
  const { stdout } = await run('node', ['use.js'], { cwd: folder, env });
  expect(stdout).toBe('t-typescript sandbox 1 plan_not_found\n');
});

const typeScriptProgram = `
import type { components, operations } from './api.js';
declare const process: { env: Record<string, string | undefined> };
type Input = operations['createTenantToken']['requestBody']['content']['application/json'];
type Result = components['schemas']['CreateTenantTokenResult'];
const headers = { authorization: 'Bearer ' + process.env.SVC_API_KEY, 'content-type': 'application/json' };
const body: Input = {
  first_name: 'Ada', last_name: 'Lane', email: 'ada@example.com',
  charges: [{ id: 'C-1', due_date: '2026-02-01', amount_in_cents: 152012, amount_paid_in_cents: 0 }],
};
async function main() {
  const base = process.env.SVC_BASE_URL;
  const response = await fetch(base + '/tenant/portal_info/t-typescript', { method: 'POST', headers, body: JSON.stringify(body) });
  const { data }: Result = await response.json();
  const failed = await fetch(base + '/plans/pln_none', { headers });
  const { error }: components['schemas']['Error'] = await failed.json();
  console.log(data.external_id, data.environment, data.token === null ? 0 : 1, error.code);
}
void main();
`;

interface Schema {
  readonly $ref?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
}
interface Body {
  readonly schema: Schema;
  readonly examples: { readonly request: { readonly value: unknown } };
}

/** A constant for the example body of each operation, and one for the fields that it has to have. */
function documentedBodies(): string {
  const constants = operations.flatMap(({ operationId, requestBody }) => {
    const { schema, examples } = requestBody?.content['application/json'] ?? {};
    if (!schema || !examples) return [];
    const type = `operations['${operationId}']['requestBody']['content']['application/json']`;
    const { value } = examples.request;
    return [value, requiredPart(value, schema)].map(
      (body, index) => `const ${operationId}${index}: ${type} = ${JSON.stringify(body)};`,
    );
  });
  expect(constants.length).toBeGreaterThan(40);
  return constants.join('\n');
}

/** An example without the fields that its schema does not require. */
function requiredPart(value: unknown, schema: Schema): unknown {
  if (schema.$ref) {
    const { schemas } = described.components as { schemas: Record<string, Schema> };
    return requiredPart(value, schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  }
  const { properties = {}, required = [], items } = schema;
  if (Array.isArray(value) && items) return value.map((item) => requiredPart(item, items));
  if (typeof value !== 'object' || value === null || !schema.properties) return value;
  const kept = Object.entries(value).filter(([name]) => required.includes(name));
  return Object.fromEntries(
    kept.map(([name, field]) => [name, requiredPart(field, properties[name] ?? {})]),
  );
}

test('a client of openapi-python-client compiles and calls the service', {
  timeout,
}, async (context) => {
  const python = join(folder, 'python/bin/python');
  await setUp(context, 'Python', 'python3', ['-m', 'venv', join(folder, 'python')]);
  const install = ['-m', 'pip', 'install', '-q', 'openapi-python-client==0.29.1'];
  await setUp(context, 'openapi-python-client', python, install);
  // The generator knows no other types of files.
  const config =
    'content_type_overrides:\n  image/png: application/octet-stream\n  font/woff2: application/octet-stream\n';
  writeFileSync(join(folder, 'python.yaml'), config);
  const tool = join(folder, 'python/bin/openapi-python-client');
  const args = ['generate', '--path', document, '--output-path', 'svc_api', '--meta', 'none'];
  const { stdout: said } = await run(tool, [...args, '--config', 'python.yaml'], { cwd: folder });
  expect(said).not.toContain('WARNING');
  await run(python, ['-m', 'compileall', '-q', 'svc_api'], { cwd: folder });
  writeFileSync(join(folder, 'use.py'), pythonProgram);
  const { stdout } = await run(python, ['use.py'], { cwd: folder, env });
  expect(stdout).toBe('t-python sandbox True plan_not_found 0\n');
});

const pythonProgram = `
import datetime, os
from svc_api import AuthenticatedClient
from svc_api.api.tenants import create_tenant_token
from svc_api.api.plans_and_settlements import get_plan, list_settlements
from svc_api.models import ChargeInput, PortalInfoInput

client = AuthenticatedClient(base_url=os.environ["SVC_BASE_URL"], token=os.environ["SVC_API_KEY"])
charge = ChargeInput(id="C-1", due_date=datetime.date(2026, 2, 1), amount_in_cents=152012)
body = PortalInfoInput(first_name="Ada", last_name="Lane", email="ada@example.com", charges=[charge])
made = create_tenant_token.sync(external_id="t-python", client=client, body=body).data
failed = get_plan.sync(id="pln_none", client=client).error
listed = list_settlements.sync(client=client).data
print(made.external_id, made.environment.value, made.token is not None, failed.code, len(listed.items))
`;

test('a client of oapi-codegen compiles and calls the service', { timeout }, async (context) => {
  const cwd = join(folder, 'go');
  mkdirSync(join(cwd, 'api'), { recursive: true });
  const tool = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
  await setUp(context, 'oapi-codegen', 'env', [`GOBIN=${cwd}`, 'go', 'install', tool]);
  const config =
    'package: api\noutput: api/api.go\ngenerate:\n  models: true\n  client: true\noutput-options:\n  skip-prune: true\n';
  writeFileSync(join(cwd, 'config.yaml'), config);
  await run(join(cwd, 'oapi-codegen'), ['-config', 'config.yaml', document], { cwd });
  writeFileSync(join(cwd, 'main.go'), goProgram);
  await run('go', ['mod', 'init', 'use'], { cwd });
  await setUp(context, 'the runtime of oapi-codegen', 'env', ['-C', cwd, 'go', 'mod', 'tidy']);
  await run('go', ['vet', './...'], { cwd });
  const { stdout } = await run('go', ['run', '.'], { cwd, env });
  expect(stdout).toBe('t-go sandbox true plan_not_found\n');
});

const goProgram = `package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	openapi_types "github.com/oapi-codegen/runtime/types"
	"use/api"
)

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func main() {
	key := api.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("SVC_API_KEY"))
		return nil
	})
	client, err := api.NewClientWithResponses(os.Getenv("SVC_BASE_URL"), key)
	check(err)
	ctx := context.Background()
	due := openapi_types.Date{Time: time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)}
	body := api.PortalInfoInput{
		FirstName: "Ada", LastName: "Lane", Email: "ada@example.com",
		Charges: []api.ChargeInput{{Id: "C-1", DueDate: due, AmountInCents: 152012}},
	}
	made, err := client.CreateTenantTokenWithResponse(ctx, "t-go", nil, body)
	check(err)
	failed, err := client.GetPlanWithResponse(ctx, "pln_none")
	check(err)
	data := made.JSON200.Data
	fmt.Println(data.ExternalId, data.Environment, data.Token != nil, failed.JSON404.Error.Code)
}
`;

const samples = operations.flatMap(({ operationId, 'x-codeSamples': of }) =>
  of.map((sample) => ({ ...sample, id: operationId })),
);

/** The samples' folder. It is apart from the tools, whose packages would be found first. */
const sampleFolder = join(folder, 'samples');

function writeSamples(label: string, extension: string): string[] {
  mkdirSync(sampleFolder, { recursive: true });
  return samples
    .filter((sample) => sample.label === label)
    .map(({ id, source }) => {
      const file = join(sampleFolder, `${id}.${extension}`);
      writeFileSync(file, source);
      return file;
    });
}

test('the samples for Node compile against @svc/node', { timeout }, async () => {
  const files = writeSamples('Node', 'mts');
  const modules = join(sampleFolder, 'node_modules');
  for (const scope of ['@svc', '@types']) mkdirSync(join(modules, scope), { recursive: true });
  symlinkSync(join(root, 'packages/node'), join(modules, '@svc/node'));
  symlinkSync(join(root, 'node_modules/@types/node'), join(modules, '@types/node'));
  const flags = ['--noEmit', '--target', 'es2023', '--module', 'nodenext', '--types', 'node'];
  const args = [join(root, 'node_modules/typescript/bin/tsc'), ...flags, '--strict', 'false'];
  expect(files.length).toBeGreaterThan(40);
  await run('node', [...args, '--skipLibCheck', ...files], { cwd: sampleFolder });
});

test('the samples for curl are valid shell', { timeout }, async () => {
  for (const file of writeSamples('curl', 'sh')) await run('bash', ['-n', resolve(file)]);
});

test('the samples for Python compile', { timeout }, async (context) => {
  await setUp(context, 'Python', 'python3', ['--version']);
  await run('python3', ['-m', 'py_compile', ...writeSamples('Python', 'py')], { cwd: folder });
});
