import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { ROOT } from '../steps/run-command.mjs';

// Checks the backends of docs/backend.md, which use libraries of other registries: each language's own
// tools parse them where they are installed, and the signature lines run on the golden vectors.

const run = promisify(execFile);
const folder = join(ROOT, 'examples/backends');

const syntax: readonly [string, string, readonly string[]][] = [
  ['Node.js', 'node', ['--check', 'node/server.mjs']],
  ['Python', 'python3', ['-c', 'import ast; ast.parse(open("python/app.py").read())']],
  ['Ruby', 'ruby', ['-c', 'ruby/app.rb']],
  ['Ruby, an existing app,', 'ruby', ['-c', '../existing-app/app.rb']],
  ['Ruby, its routes,', 'ruby', ['-c', '../existing-app/svc_routes.rb']],
  ['PHP', 'php', ['-l', 'php/index.php']],
  ['Go', 'gofmt', ['-e', 'go/main.go']],
  ['Java', 'javac', ['-XDshould-stop.ifNoError=PARSE', 'java/RentController.java']],
];

test.for(syntax)('the backend in %s is read by %s', async ([, program, args], { skip }) => {
  await run(program, [...args], { cwd: folder }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') skip(`${program} is not installed.`);
    throw error;
  });
});

interface Vector {
  api_key: string;
  pms: string;
  external_id: string;
  signature: string;
}
const { vectors } = JSON.parse(
  readFileSync(join(ROOT, 'packages/contract/vectors/widget-signatures.json'), 'utf8'),
) as { vectors: Vector[] };

/** The expression of each backend, with its variables set from the environment. */
const signatures: readonly [string, string, RegExp, (line: string) => string[]][] = [
  [
    'python3',
    'python/app.py',
    /signature = (.+)/,
    (line) => [
      '-c',
      `import hashlib, hmac, os\nKEY, PMS, tenant = os.environ["KEY"], os.environ["PMS"], {"id": os.environ["ID"]}\nmessage = f"{PMS}+{tenant['id']}".encode()\nprint(${line})`,
    ],
  ],
  [
    'ruby',
    'ruby/app.rb',
    /signature = (.+)/,
    (line) => [
      '-e',
      `require "openssl"; KEY, PMS, TENANT = ENV["KEY"], ENV["PMS"], { id: ENV["ID"] }; puts ${line}`,
    ],
  ],
  [
    'php',
    'php/index.php',
    /\$signature = (.+);/,
    (line) => [
      '-r',
      `$key = getenv('KEY'); $pms = getenv('PMS'); $tenant = ['id' => getenv('ID')]; echo ${line};`,
    ],
  ],
];

// Two are enough, because the tests of examples/signatures run all of them, and starting a program for each takes
// seconds.
const sampleVectors = [vectors.at(0), vectors.at(-1)].filter((it) => it !== undefined);

test.for(signatures)(
  'the signature in %s is that of the vectors',
  async ([program, file, pattern, argsOf], { skip }) => {
    const [, line = ''] = pattern.exec(readFileSync(join(folder, file), 'utf8')) ?? [];
    const cwd = mkdtempSync(join(tmpdir(), 'svc-backend-'));
    try {
      for (const { api_key, pms, external_id, signature } of sampleVectors) {
        const env = {
          PATH: process.env.PATH,
          LANG: 'C.UTF-8',
          KEY: api_key,
          PMS: pms,
          ID: external_id,
        };
        const { stdout } = await run(program, argsOf(line), { cwd, env }).catch(
          (error: NodeJS.ErrnoException) => {
            if (error.code === 'ENOENT') skip(`${program} is not installed.`);
            throw error;
          },
        );
        expect(stdout.trim()).toBe(signature);
      }
    } finally {
      rmSync(cwd, { recursive: true });
    }
  },
);
