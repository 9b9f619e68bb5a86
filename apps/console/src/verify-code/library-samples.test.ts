import { execFileSync, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import type { Language } from './language.ts';
import { node } from './node.ts';
import { python } from './python.ts';

// Runs the printed samples against genuine and tampered requests. Other languages were tested by hand
// with the same requests, because starting them takes up to a minute.

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const path = '/hooks/in';
const id = 'evt_1';
const body = JSON.stringify({ id, type: 'plan.created', data: { note: 'Café ☕' } });

interface Request {
  readonly words: string;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

function requests(): Request[] {
  const now = Math.floor(Date.now() / 1000);
  const sign = (by: string, at = now) => {
    const key = Buffer.from(by.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`;
  };
  const of = (
    words: string,
    status: number,
    part: { signature?: string; at?: number; body?: string } = {},
  ): Request => {
    const { at = now, signature = sign(secret, at) } = part;
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': `${at}`,
      'webhook-signature': signature,
    };
    return { words, status, headers, body: part.body ?? body };
  };
  return [
    of('genuine', 204),
    of('while the secret rotates, ours first', 204, {
      signature: `${sign(secret)} ${sign(other)}`,
    }),
    of('while the secret rotates, ours last', 204, { signature: `${sign(other)} ${sign(secret)}` }),
    of('by another secret', 400, { signature: sign(other) }),
    of('too old', 400, { at: now - 400 }),
    of('from the future', 400, { at: now + 400 }),
    of('a changed body', 400, { body: `${body} ` }),
    { words: 'without headers', status: 400, headers: {}, body },
  ];
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-sample-'));
  folders.push(folder);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

/** Runs a program that prints one status per request and compares them with the expected ones. */
function check(command: string, options: string[], folder: string, asked: Request[]): void {
  const output = execFileSync(command, options, {
    cwd: folder,
    encoding: 'utf8',
    timeout: 55_000,
    env: { ...process.env, SVC_WEBHOOK_SECRET: secret },
  });
  const statuses = [...output.matchAll(/^status (\d+)$/gm)].map(([, status]) => Number(status));
  expect(asked.map(({ words }, at) => [words, statuses[at]])).toEqual(
    asked.map(({ words, status }) => [words, status]),
  );
}

const fromNodePackage = createRequire(
  new URL('../../../../packages/node/package.json', import.meta.url),
);
const modules: Record<string, string> = {
  standardwebhooks: pathToFileURL(fromNodePackage.resolve('standardwebhooks')).href,
  '@svc/node': new URL('../../../../packages/node/src/index.ts', import.meta.url).href,
  express: './express.mjs',
};

/** A stand-in for Express: calls the handler with the request and response that it uses. */
const express = `
let handler;
export default function express() {
  return { post: (path, raw, handle) => { handler = handle; }, listen: run };
}
express.raw = () => {};
function run() {
  for (const { headers, body } of JSON.parse(process.env.REQUESTS)) {
    const response = {
      status(code) { console.log("status " + code); return response; },
      sendStatus: (code) => response.status(code),
      type: () => response,
      send: () => response,
    };
    handler({ headers, body: Buffer.from(body) }, response);
  }
}`;

test.each(node.libraries)('Node with $name', { timeout: 60_000 }, ({ code, file }) => {
  const asked = requests();
  const sample = code(path).replaceAll(
    /from "([^"]+)"/g,
    (_, name) => `from ${JSON.stringify(modules[name] ?? name)}`,
  );
  const folder = folderWith({
    [file]: sample,
    'express.mjs': express.replace('process.env.REQUESTS', JSON.stringify(JSON.stringify(asked))),
  });
  const tsx = pathToFileURL(fromNodePackage.resolve('tsx')).href;
  check(process.execPath, ['--import', tsx, file], folder, asked);
});

const hasPython = runs('python3', ['-c', 'import flask, standardwebhooks']);
test.skipIf(!hasPython)('Python with Standard Webhooks', { timeout: 60_000 }, () => {
  const asked = requests();
  const folder = folderWith({
    [file(python)]: sampleOf(python),
    'requests.json': JSON.stringify(asked),
    'check.py': `import json, webhooks
client = webhooks.app.test_client()
for asked in json.load(open("requests.json")):
    answer = client.post("${path}", data=asked["body"].encode(), headers=asked["headers"])
    print("status", answer.status_code)
`,
  });
  check('python3', ['check.py'], folder, asked);
});

function runs(command: string, options: string[]): boolean {
  return spawnSync(command, options).status === 0;
}

function file({ libraries }: Language): string {
  return libraries[0]?.file ?? '';
}

function sampleOf({ libraries }: Language): string {
  return libraries[0]?.code(path) ?? '';
}
