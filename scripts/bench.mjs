import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

// `node scripts/bench.mjs [name …] [--full] [--peers]`: each bench in a process of its own, or all in turn.
const root = fileURLToPath(new URL('..', import.meta.url));
const notBenches = new Set(['peers', 'run', 'rows', 'draw-rows', 'receiver', 'start-receiver']);
const known = readdirSync(`${root}/bench`)
  .filter((file) => file.endsWith('.ts') && !file.startsWith('baseline-'))
  .map((file) => file.slice(0, -'.ts'.length))
  .filter((name) => !notBenches.has(name));
const options = process.argv.slice(2).filter((word) => word.startsWith('--'));
const named = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const peers = options.includes('--peers') ? ['peers'] : [];
const wanted = [...(named.length + peers.length > 0 ? named : known), ...peers];
const unknown = named.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}: choose from ${known.join(', ')}.`);
  process.exit(1);
}

const failed = wanted.filter((name) => {
  console.log(`bench ${name} …`);
  const flags = ['--conditions=source', '--import', 'tsx'];
  const place = /** @type {const} */ ({ cwd: root, stdio: 'inherit' });
  return (
    spawnSync(process.execPath, [...flags, 'bench/run.ts', name, ...options], place).status !== 0
  );
});
process.exit(failed.length > 0 ? 1 : 0);
