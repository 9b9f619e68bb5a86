import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { ROOT } from '../steps/run-command.mjs';

// Checks the receivers of examples/signatures, which the console and the docs show. Those in Node, Python and Go
// get genuine and tampered requests. The others are parsed by the tools of their languages. A language that is
// not installed is skipped.

const run = promisify(execFile);
const examples = join(ROOT, 'examples/signatures');

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const other = 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD';
const id = 'evt_1';
const body = JSON.stringify({ id, type: 'plan.created', data: { note: 'Café ☕' } });

interface Delivery {
  readonly words: string;
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** Returns the requests that a receiver gets, with the status that it must answer, signed with the current time. */
function deliveries(): Delivery[] {
  const now = Math.floor(Date.now() / 1000);
  const sign = (by: string, at = now) => {
    const key = Buffer.from(by.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`;
  };
  const delivery = (
    words: string,
    status: number,
    part: { signature?: string; at?: number; body?: string } = {},
  ): Delivery => {
    const { at = now, signature = sign(secret, at) } = part;
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': `${at}`,
      'webhook-signature': signature,
    };
    return { words, status, headers, body: part.body ?? body };
  };
  const [ours, theirs] = [sign(secret), sign(other)];
  return [
    delivery('genuine', 204),
    delivery('while the secret rotates, ours first', 204, { signature: `${ours} ${theirs}` }),
    delivery('while the secret rotates, ours last', 204, { signature: `${theirs} ${ours}` }),
    delivery('by another secret', 400, { signature: theirs }),
    delivery('too old', 400, { at: now - 400 }),
    delivery('from the future', 400, { at: now + 400 }),
    delivery('a changed body', 400, { body: `${body} ` }),
    { words: 'without headers', status: 400, headers: {}, body },
  ];
}

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Creates a folder with copies of files of `examples/signatures` and with the given texts. Returns its path. */
function folderWith(copied: readonly string[], texts: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-receiver-'));
  folders.push(folder);
  for (const file of copied) copyFileSync(join(examples, file), join(folder, basename(file)));
  for (const [file, text] of Object.entries(texts)) writeFileSync(join(folder, file), text);
  return folder;
}

/** Runs a program that reads deliveries.json and prints the status of each delivery, and checks the statuses. */
async function deliver(folder: string, command: readonly string[]): Promise<void> {
  const sent = deliveries();
  writeFileSync(join(folder, 'deliveries.json'), JSON.stringify(sent));
  const [program = '', ...args] = command;
  const env = { ...process.env, SVC_WEBHOOK_SECRET: secret };
  const { stdout } = await run(program, args, { cwd: folder, env });
  const statuses = [...stdout.matchAll(/^status (\d+)$/gm)].map(([, status]) => Number(status));
  expect(sent.map(({ words }, at) => [words, statuses[at]])).toEqual(
    sent.map(({ words, status }) => [words, status]),
  );
}

const fromNodePackage = createRequire(join(ROOT, 'packages/node/package.json'));
const modules: Readonly<Record<string, string>> = {
  standardwebhooks: pathToFileURL(fromNodePackage.resolve('standardwebhooks')).href,
  '@svc/node': pathToFileURL(join(ROOT, 'packages/node/src/index.ts')).href,
  express: './express.mjs',
};

/** A fake Express, which calls the handler with the parts of a request and a response that it uses. */
const express = `
import { readFileSync } from 'node:fs';
let handler;
export default function express() {
  return { post: (path, raw, handle) => { handler = handle; }, listen: run };
}
express.raw = () => {};
function run() {
  for (const { headers, body } of JSON.parse(readFileSync('deliveries.json', 'utf8'))) {
    const response = {
      status(code) { console.log('status ' + code); return response; },
      sendStatus: (code) => response.status(code),
      type: () => response,
      send: () => response,
    };
    handler({ headers, get: (name) => headers[name], body: Buffer.from(body) }, response);
  }
}`;

test.each(['receive', 'receive-with-svc', 'receive-by-hand'])('Node: %s.mjs', async (name) => {
  const source = readFileSync(join(examples, `node/${name}.mjs`), 'utf8');
  const folder = folderWith(['node/signatures.mjs'], {
    'webhooks.mjs': source.replaceAll(
      /from '([^']+)'/g,
      (_, module) => `from '${modules[module] ?? module}'`,
    ),
    'express.mjs': express,
  });
  const tsx = pathToFileURL(fromNodePackage.resolve('tsx')).href;
  await deliver(folder, [process.execPath, '--import', tsx, 'webhooks.mjs']);
});

const pythonReceivers: readonly [file: string, packages: string][] = [
  ['receive', 'flask, standardwebhooks'],
  ['receive_by_hand', 'flask'],
];
test.for(pythonReceivers)('Python: %s.py', async ([name, packages], { skip }) => {
  if (!(await succeeds('python3', '-c', `import ${packages}`)))
    skip(`${packages} are not installed.`);
  const folder = folderWith([`python/${name}.py`, 'python/signatures.py'], {
    'deliver.py': `import json
from ${name} import app
client = app.test_client()
for sent in json.load(open("deliveries.json")):
    answer = client.post("/webhooks/svc", data=sent["body"].encode(), headers=sent["headers"])
    print("status", answer.status_code)
`,
  });
  await deliver(folder, ['python3', 'deliver.py']);
});

// Without a cache of earlier builds, Go compiles net/http first.
test('Go: receive-by-hand/main.go', { timeout: 180_000 }, async ({ skip }) => {
  if (!(await succeeds('go', 'version'))) skip('go is not installed.');
  const files = ['go/go.mod', 'go/signatures.go', 'go/receive-by-hand/main.go'];
  const folder = folderWith(files, {
    // An init function runs before main, which would listen on a port.
    'deliver.go': `package main
import ("encoding/json"; "fmt"; "net/http/httptest"; "os"; "strings")
func init() {
	content, _ := os.ReadFile("deliveries.json")
	var deliveries []struct { Headers map[string]string; Body string }
	if err := json.Unmarshal(content, &deliveries); err != nil { panic(err) }
	for _, sent := range deliveries {
		request := httptest.NewRequest("POST", "/webhooks/svc", strings.NewReader(sent.Body))
		for name, value := range sent.Headers { request.Header.Set(name, value) }
		answer := httptest.NewRecorder()
		receive(answer, request)
		fmt.Println("status", answer.Code)
	}
	os.Exit(0)
}
`,
  });
  await deliver(folder, ['go', 'run', '.']);
});

const readers: readonly (readonly [file: string, ...command: string[]])[] = [
  ['ruby/receive.rb', 'ruby', '-c'],
  ['ruby/receive_by_hand.rb', 'ruby', '-c'],
  ['php/receive.php', 'php', '-l'],
  ['php/receive_by_hand.php', 'php', '-l'],
  ['go/receive/main.go', 'gofmt', '-e'],
  ['java/Receive.java', 'javac', '-XDshould-stop.ifNoError=PARSE'],
  ['java/ReceiveByHand.java', 'javac', '-XDshould-stop.ifNoError=PARSE'],
  ['rust/receive.rs', 'rustfmt', '--edition=2021', '--emit=stdout'],
];
test.for(readers)('%s is read by %s', async ([file, program = '', ...args], { skip }) => {
  await run(program, [...args, join(examples, file)]).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') skip(`${program} is not installed.`);
    throw error;
  });
});

function succeeds(program: string, ...args: string[]): Promise<boolean> {
  return run(program, args).then(
    () => true,
    () => false,
  );
}
