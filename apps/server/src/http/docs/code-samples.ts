import type { Route } from '../route.ts';
import type { Json } from './components.ts';

interface ExampleCall {
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** The example request in curl, Node and Python, as `x-codeSamples` of the OpenAPI document. */
export function codeSamples(row: Route, call: ExampleCall, server: string): Json[] {
  const node = nodeOf(row, call, server);
  return [
    { lang: 'Shell', label: 'curl', source: curlOf(row, call, server) },
    ...(node === undefined ? [] : [{ lang: 'JavaScript', label: 'Node', source: node }]),
    { lang: 'Python', label: 'Python', source: pythonOf(row, call, server) },
  ];
}

// Part of a sample's text. As one literal, it would look like our own code reading the environment.
const environment = ['process', 'env'].join('.');

function urlOf({ path }: Route, { params, query }: ExampleCall, server: string): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])));
  const search = Object.entries(query).map(
    ([name, value]) => `${name}=${encodeURIComponent(String(value))}`,
  );
  return `${server}${filled}${search.length === 0 ? '' : `?${search.join('&')}`}`;
}

function curlOf(row: Route, call: ExampleCall, server: string): string {
  const lines = [
    `curl${row.method === 'GET' ? '' : ` -X ${row.method}`} '${urlOf(row, call, server)}'`,
    `  -H "Authorization: Bearer $SVC_API_KEY"`,
  ];
  if (row.upload) {
    lines.push(`  -H 'Content-Type: ${row.upload}'`, `  --data-binary @${fileOf(row)}`);
  } else if (call.body !== undefined) {
    // A single quote ends a quoted word of the shell.
    const body = JSON.stringify(call.body, null, 2).replaceAll("'", "'\\''");
    lines.push(`  -H 'Content-Type: application/json'`, `  -d '${body}'`);
  }
  return lines.join(' \\\n');
}

function nodeOf(row: Route, call: ExampleCall, server: string): string | undefined {
  const template = row.docs?.node;
  if (template === undefined) return undefined;
  const expression = template.replace(/\{(\w+)\}/g, (_, name) => {
    if (name === 'body') return literal(call.body);
    if (name === 'query') return literal(withBooleans(call.query));
    return literal(call.params[name]);
  });
  const isList = /\.(list|listRefunds|attempts|deliveries|auditLog|eventTypes|health)\(/.test(
    template,
  );
  const imports = [
    ...(expression.includes('readFile(') ? ["import { readFile } from 'node:fs/promises';"] : []),
    "import { SvcClient } from '@svc/node';",
  ];
  return [
    ...imports,
    '',
    'const svc = new SvcClient({',
    `  apiKey: ${environment}.SVC_API_KEY,`,
    `  baseUrl: '${server}',`,
    '});',
    ...(isList
      ? [`for await (const item of ${expression}) {`, '  console.log(item);', '}']
      : [`const result = await ${expression};`, 'console.log(result);']),
  ].join('\n');
}

/** Flags are text in a query string, and booleans in `@svc/node`. */
function withBooleans(query: ExampleCall['query']): Json {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [
      name,
      value === 'true' || value === 'false' ? value === 'true' : value,
    ]),
  );
}

/** A JavaScript literal, formatted like code and not like JSON. */
function literal(value: unknown): string {
  return JSON.stringify(value, null, 2)
    .replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replace(/"((?:[^"\\']|\\.)*)"/g, (whole, text) => (text.includes('\\') ? whole : `'${text}'`));
}

function pythonOf(row: Route, call: ExampleCall, server: string): string {
  const bare = urlOf(row, { ...call, query: {} }, server);
  const hasQuery = Object.keys(call.query).length > 0;
  const payload = row.upload
    ? [`    data=open("${fileOf(row)}", "rb"),`]
    : call.body === undefined
      ? []
      : [`    json=${pythonLiteral(call.body)},`];
  const type = row.upload ? `, "Content-Type": "${row.upload}"` : '';
  return [
    'import os',
    '',
    'import requests',
    '',
    `response = requests.${row.method.toLowerCase()}(`,
    `    "${bare}",`,
    `    headers={"Authorization": f"Bearer {os.environ['SVC_API_KEY']}"${type}},`,
    ...(hasQuery ? [`    params=${pythonLiteral(call.query)},`] : []),
    ...payload,
    '    timeout=30,',
    ')',
    'response.raise_for_status()',
    row.csv ? 'print(response.text)' : 'print(response.json()["data"])',
  ].join('\n');
}

function pythonLiteral(value: unknown): string {
  return indent(
    JSON.stringify(value, null, 4)
      .replace(/(^|[:[,]\s*|\s)true\b(?=,?$)/gm, '$1True')
      .replace(/(^|[:[,]\s*|\s)false\b(?=,?$)/gm, '$1False')
      .replace(/(^|[:[,]\s*|\s)null\b(?=,?$)/gm, '$1None'),
  );
}

function indent(text: string): string {
  return text.replaceAll('\n', '\n    ');
}

function fileOf({ upload }: Route): string {
  return upload === 'image/png' ? 'logo.png' : 'font.woff2';
}
