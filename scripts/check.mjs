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
  { name: 'imports', args: typescript('check-imports') },
  { name: 'migrations', args: typescript('migrations') },
  { name: 'partners', args: typescript('find-partnerless') },
  { name: 'tables', args: typescript('find-foreign-writes') },
  { name: 'api', args: typescript('api-changes') },
  { name: 'regular expressions', args: typescript('expressions') },
  { name: 'tidy', args: typescript('tidy') },
];

const began = performance.now();
// The checks run in parallel, and each one reports when it is done.
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

/**
 * Our packages are read from their sources, because a fresh clone has not built them yet.
 *
 * @param {string} script in `scripts/check`
 */
function typescript(script) {
  return ['--conditions=source', '--import', 'tsx', `scripts/check/${script}.ts`];
}

/** @param {number} start */
function since(start) {
  return `${((performance.now() - start) / 1000).toFixed(1)} s`;
}
