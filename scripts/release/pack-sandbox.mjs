import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { ROOT, runNode } from '../steps/run-command.mjs';
import { licensesOf } from './licenses-of.mjs';
import { addSandbox, removeSandbox } from './pack-sdk.mjs';

const PACKAGE = join(ROOT, 'packages/sandbox');
const DIST = join(PACKAGE, 'dist');
/** The service's files have the same paths as in the repository. */
const SERVICE = join(DIST, 'service');
const CODE = join(SERVICE, 'apps/server/dist');
const PGLITE = join(ROOT, 'node_modules/@electric-sql/pglite/dist');
const PGLITE_FILES = ['pglite.wasm', 'pglite.data', 'initdb.wasm'];

/** Folders and files that the service reads or sends. */
const FILES = [
  'apps/server/package.json',
  'apps/server/migrations',
  'apps/server/fonts',
  'packages/webhooks/migrations',
  'packages/core/dist',
  'packages/ui/src/tokens.css',
  'packages/ui/src/components',
  'packages/contract/vectors',
  'apps/experience/dist',
  'apps/console/dist',
  'apps/operator/dist',
  'apps/demo-portal/dist/web',
  'apps/docs/dist',
  'dist/sdk',
];
const UNUSED = /\.test\.|\.d\.ts$|\.tsbuildinfo$|\/dist\/types(\/|$)/;

/** Builds the package and packs it. The other packages must have been packed before. */
export async function packSandbox() {
  // The package contains the tarballs of the others, but not its own.
  removeSandbox();
  for (const path of ['service', 'types', 'index.js', 'licenses.txt']) {
    rmSync(join(DIST, path), { recursive: true, force: true });
  }
  const used = new Set();
  await bundle(join(ROOT, 'apps/server/src/sandbox.ts'), CODE, 'sandbox.js', used);
  // start-embedded.ts runs worker.js in a thread, from a separate file in the same folder.
  await bundle(join(ROOT, 'packages/db/src/embedded/worker.js'), CODE, 'worker.js', used);
  // parse-in-thread.ts does the same with parse-thread.js.
  const thread = 'apps/server/src/statements/parse-thread.ts';
  await bundle(join(ROOT, thread), CODE, 'parse-thread.js', used);
  await bundle(join(PACKAGE, 'src/index.ts'), DIST, 'index.js', used);
  writeFileSync(join(DIST, 'licenses.txt'), licensesOf(used));
  for (const file of PGLITE_FILES) cpSync(join(PGLITE, file), join(CODE, file));
  for (const path of FILES) {
    cpSync(join(ROOT, path), join(SERVICE, path), {
      recursive: true,
      filter: (file) => !UNUSED.test(file),
    });
  }
  cpSync(await snapshot(), join(SERVICE, 'database.snapshot'));
  copyTypes();
  await addSandbox();
}

/**
 * @param {string} entry
 * @param {string} folder
 * @param {string} name
 * @param {Set<string>} used gets the modules in the bundle
 */
async function bundle(entry, folder, name, used) {
  await build({
    configFile: false,
    root: ROOT,
    // PGlite's generated code contains `eval`, which it does not call.
    logLevel: 'error',
    resolve: { conditions: ['source', 'node'] },
    ssr: { noExternal: true, resolve: { conditions: ['source', 'node'] } },
    plugins: [
      {
        name: 'list-modules',
        generateBundle(_, output) {
          for (const chunk of Object.values(output)) {
            if (chunk.type === 'chunk') for (const id of chunk.moduleIds) used.add(id);
          }
        },
      },
    ],
    build: {
      ssr: entry,
      target: 'node20',
      emptyOutDir: false,
      outDir: folder,
      // An error prints its source line, which a person should be able to read.
      minify: false,
      rolldownOptions: {
        output: { entryFileNames: name, format: 'es', codeSplitting: false },
      },
    },
  });
}

/**
 * Returns the path of a migrated database's snapshot. PostgreSQL gives each database a random identifier, so it
 * is made once for the same migrations: otherwise two packages of one commit would differ.
 */
async function snapshot() {
  const hash = createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json')));
  const sources = [
    'apps/server/migrations',
    'packages/webhooks/migrations',
    'packages/db/src/embedded',
  ];
  for (const folder of sources) {
    for (const name of readdirSync(join(ROOT, folder)).sort()) {
      hash.update(name).update(readFileSync(join(ROOT, folder, name)));
    }
  }
  const file = join(ROOT, '.cache', `database-${hash.digest('hex').slice(0, 16)}.snapshot`);
  if (existsSync(file)) return file;
  mkdirSync(dirname(file), { recursive: true });
  const { code, output } = await runNode(
    [
      '--liftoff-only',
      '--conditions=source',
      '--import',
      'tsx',
      'scripts/release/write-snapshot.ts',
      file,
    ],
    { quiet: true },
  );
  if (code !== 0) throw new Error(`The database of the sandbox could not be made:\n${output}`);
  return file;
}

/**
 * Copies the package's types. Those of @svc/node are one file without imports, which is included, so that the package
 * does not depend on @svc/node.
 */
function copyTypes() {
  const out = join(DIST, 'types');
  mkdirSync(out, { recursive: true });
  cpSync(join(ROOT, 'packages/node/dist/types/index.d.ts'), join(out, 'node.d.ts'));
  const compiled = join(DIST, 'compiled');
  for (const name of readdirSync(compiled).filter((it) => /^(?!.*\.test\.).*\.d\.ts$/.test(it))) {
    const text = readFileSync(join(compiled, name), 'utf8');
    writeFileSync(join(out, name), text.replaceAll("'@svc/node'", "'./node.js'"));
  }
}
