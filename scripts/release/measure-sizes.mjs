import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { ensure } from '../ensure.mjs';
import { ROOT, runNode } from '../steps/run-command.mjs';

// `npm run bench:sizes`: compares our size with that of other SDKs, each as the minimal code that renders it,
// bundled by the same bundler without React. The others are installed from npm in their newest version.
// With `--write` the table is written into this README.
const README = join(ROOT, 'packages/core/README.md');

/** @typedef {{ what: string, names: string[], page: string, loads: string }} Entry */

/** @type {Entry[]} */
const OURS = [
  {
    what: '`@svc/core` (widget, dialog, bridge)',
    names: [],
    page: "export { Environment, Svc } from '@svc/core';",
    loads: 'nothing; the frame on the tenant’s intent',
  },
  {
    what: '`@svc/core` and `@svc/react`',
    names: [],
    page: "export { Environment, SvcWidget, openExperienceAndSetToken } from '@svc/react';",
    loads: 'the same',
  },
];

/** @type {Entry[]} */
const THEIRS = [
  {
    what: 'loader',
    names: ['@stripe/stripe-js'],
    page: "export { loadStripe } from '@stripe/stripe-js';",
    loads: 'a remote script and frames',
  },
  {
    what: 'with its loader',
    names: ['@stripe/react-stripe-js', '@stripe/stripe-js'],
    page: `export { Elements, PaymentElement } from '@stripe/react-stripe-js';
           export { loadStripe } from '@stripe/stripe-js/pure';`,
    loads: 'the same',
  },
  {
    what: 'the hook',
    names: ['react-plaid-link'],
    page: "export { usePlaidLink } from 'react-plaid-link';",
    loads: 'a remote script at mount',
  },
  {
    what: 'loader',
    names: ['@paypal/paypal-js'],
    page: "export { loadScript } from '@paypal/paypal-js';",
    loads: 'a remote script',
  },
  {
    what: 'card only',
    names: ['@adyen/adyen-web'],
    page: "export { AdyenCheckout, Card } from '@adyen/adyen-web'; import '@adyen/adyen-web/styles/adyen.css';",
    loads: 'a session, a language, frames',
  },
  {
    what: 'hosted fields',
    names: ['braintree-web'],
    page: `import client from 'braintree-web/client';
           import hostedFields from 'braintree-web/hosted-fields';
           export { client, hostedFields };`,
    loads: 'frames',
  },
];

await ensure();
await runOrThrow(
  ['node_modules/typescript/bin/tsc', '-b', 'packages/core', 'packages/react'],
  ROOT,
);
await runOrThrow(
  [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'],
  join(ROOT, 'packages/core'),
);
const folder = mkdtempSync(join(tmpdir(), 'svc-sizes-'));
try {
  await fetchPeers(THEIRS.flatMap(({ names }) => names));
  const rows = [];
  for (const entry of OURS) rows.push(row(entry.what, await measure(entry.page, ROOT), entry));
  for (const entry of THEIRS) {
    const what = `\`${entry.names[0]}\` ${versionOf(entry.names[0] ?? '')}, ${entry.what}`;
    rows.push(row(what, await measure(entry.page, folder), entry));
  }
  const head = '| Package | gz | What it loads when the page runs |';
  const table = [head, '|---|---:|---|', ...rows].join('\n');
  console.log(table);
  if (parseArgs({ options: { write: { type: 'boolean' } } }).values.write) {
    const text = readFileSync(README, 'utf8');
    const start = text.indexOf(head);
    writeFileSync(README, text.slice(0, start) + table + text.slice(text.indexOf('\n\n', start)));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @param {string[]} names */
async function fetchPeers(names) {
  const npmOfNode = join(process.execPath, '../../lib/node_modules/npm/bin/npm-cli.js');
  const npm = process.env.npm_execpath ?? npmOfNode;
  const options = ['--prefix', folder, '--ignore-scripts', '--legacy-peer-deps', '--no-audit'];
  await runOrThrow([npm, 'install', ...options, ...new Set(names)], folder);
}

/**
 * @param {string[]} args for node
 * @param {string} cwd
 */
async function runOrThrow(args, cwd) {
  const { code, output } = await runNode(args, { cwd, quiet: true });
  if (code !== 0) throw new Error(output);
}

/**
 * @param {string} page
 * @param {string} from the folder from which its imports are resolved
 * @returns {Promise<{ script: number, style: number }>} gzipped bytes
 */
async function measure(page, from) {
  const entry = join(from, 'page-of-sizes.js');
  const built = await build({
    configFile: false,
    logLevel: 'error',
    root: from,
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'page',
        enforce: 'pre',
        resolveId: (id) => (id === entry ? id : null),
        load: (id) => (id === entry ? page : null),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: {
        input: entry,
        external: [/^react($|\/|-dom)/],
        preserveEntrySignatures: 'strict',
        output: { minify: true },
      },
    },
  });
  const [first] = Array.isArray(built) ? built : [built];
  if (!first || !('output' in first)) throw new Error('The build produced no bundle.');
  const sum = { script: 0, style: 0 };
  for (const file of first.output) {
    const text = file.type === 'chunk' ? file.code : file.source;
    const bytes = gzipSync(text, { level: 9 }).length;
    if (file.type === 'chunk') sum.script += bytes;
    else if (file.fileName.endsWith('.css')) sum.style += bytes;
  }
  return sum;
}

/**
 * @param {string} what
 * @param {{ script: number, style: number }} size
 * @param {Entry} entry
 */
function row(what, { script, style }, { loads }) {
  const styleNote = style > 0 ? `; ${style.toLocaleString('en-US')} of CSS in addition` : '';
  return `| ${what} | ${script.toLocaleString('en-US')} | ${loads}${styleNote} |`;
}

/** @param {string} name */
function versionOf(name) {
  const file = pathToFileURL(join(folder, 'node_modules', name, 'package.json'));
  return JSON.parse(readFileSync(file, 'utf8')).version;
}
