import { ensure } from './ensure.mjs';
import { runNode } from './steps/run-command.mjs';

await ensure();

const colors = process.stdout.isTTY ? [] : ['--colors=off'];
const CHECKS = [
  {
    name: 'format and lint',
    args: ['node_modules/@biomejs/biome/bin/biome', 'ci', ...colors, '.'],
  },
  {
    name: 'lint with types',
    args: ['node_modules/oxlint/bin/oxlint', '--format=unix'],
    loud: true,
  },
  { name: 'types', args: ['node_modules/typescript/bin/tsc', '-b', 'tsconfig.json'] },
  { name: 'imports', args: ['--import', 'tsx', 'scripts/check/check-imports.ts'] },
  { name: 'migrations', args: ['--import', 'tsx', 'scripts/check/migrations.ts'] },
  { name: 'partners', args: ['--import', 'tsx', 'scripts/check/find-partnerless.ts'] },
  { name: 'tables', args: ['--import', 'tsx', 'scripts/check/find-foreign-writes.ts'] },
  {
    name: 'api',
    args: ['--conditions=source', '--import', 'tsx', 'scripts/check/api-changes.ts'],
  },
  { name: 'regular expressions', args: ['--import', 'tsx', 'scripts/check/expressions.ts'] },
  { name: 'tidy', args: ['--import', 'tsx', 'scripts/check/tidy.ts'] },
];

const began = performance.now();
// In parallel; each reports when it is done.
const passed = await Promise.all(CHECKS.map(check));
if (!passed.every((ok) => ok)) process.exitCode = 1;
console.log(`check: ${process.exitCode ? 'failed' : 'passed'} in ${since(began)}`);

/** @param {{ name: string, args: string[], loud?: boolean }} step `loud` shows warnings too */
async function check({ name, args, loud }) {
  const start = performance.now();
  const { code, output } = await runNode(args, { quiet: true });
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${since(start)})`);
  if (code !== 0 || loud) console.log(output.trim());
  return code === 0;
}

/** @param {number} start */
function since(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
