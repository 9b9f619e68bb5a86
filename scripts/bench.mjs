import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { ensure } from './ensure.mjs';
import { ROOT } from './steps/run-command.mjs';

// `npm run bench [-- name …] [--full] [--peers]`: runs the named benches, or all, each in its own process.
// Exits with 1 when one failed, and with 2 when none failed, but the machine was too busy to judge one.
const BENCHES = [
  'books',
  'burst',
  'cluster',
  'domain',
  'growth',
  'hostile',
  'idle',
  'migrate',
  'overload',
  'portal-info',
  'sdk',
  'service',
  'storage',
  'webhook-bytes',
  'webhook-lists',
  'webhooks',
];
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { full: { type: 'boolean' }, peers: { type: 'boolean' } },
});
const unknown = positionals.filter((name) => !BENCHES.includes(name));
if (unknown.length > 0) {
  console.error(`There is no bench ${unknown.join(', ')}. Choose from ${BENCHES.join(', ')}.`);
  process.exit(1);
}
await ensure();
const names = values.peers ? [...positionals, 'peers'] : positionals;
const statuses = (names.length > 0 ? names : BENCHES).map((name) => {
  console.log(`bench ${name} …`);
  const args = ['--conditions=source', '--import', 'tsx', 'bench/run.ts', name];
  if (values.full) args.push('--full');
  return spawnSync(process.execPath, args, { cwd: ROOT, stdio: 'inherit' }).status ?? 1;
});
const failed = statuses.some((status) => status !== 0 && status !== 2);
process.exit(failed ? 1 : Math.max(...statuses));
