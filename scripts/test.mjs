import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildIfStale } from './build.mjs';
import { chromiumLaunchOptions } from './chromium.mjs';
import { ensure } from './ensure.mjs';
import { ROOT, runNode } from './steps/run-command.mjs';

const RESULTS = join(ROOT, '.cache/test-results.json');

await ensure();
await buildIfStale();
await chromiumLaunchOptions();
mkdirSync(join(ROOT, '.cache'), { recursive: true });
rmSync(RESULTS, { force: true });
process.env.SVC_TEST_BUILT = '1';
const given = process.argv.slice(2);
// A file that is named runs even if `npm test` leaves it to `npm run test:full`.
if (given.some((it) => !it.startsWith('-'))) process.env.SVC_TEST_LONG = '1';
// Database tests run on PostgreSQL. On the embedded database they need more CPU time than all other tests together,
// so `npm run test:full` runs only a part of them on it, and `npm run test:embedded` runs all.
const projects = given.some((it) => /^--(project|config)\b/.test(it))
  ? []
  : ['unit', 'postgres', 'browser'].flatMap((name) => ['--project', name]);
const { code } = await runNode([
  'node_modules/vitest/vitest.mjs',
  'run',
  '--reporter=default',
  '--reporter=json',
  `--outputFile.json=${RESULTS}`,
  ...projects,
  ...given,
]);
process.stdout.write(`${summary()}\n`);
process.exitCode = code;

/** Returns one line for CI and people. A file that could not be loaded counts as a failed test. */
function summary() {
  let results;
  try {
    results = JSON.parse(readFileSync(RESULTS, 'utf8'));
  } catch {
    return 'tests: 0 passed, 1 failed, 0 skipped (no results were written)';
  }
  /** @type {{ status: string, assertionResults: { status: string }[] }[]} */
  const files = results.testResults;
  const unloaded = files.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && assertionResults.every((test) => test.status !== 'failed'),
  );
  const failed = results.numFailedTests + unloaded.length;
  const skipped = results.numPendingTests + results.numTodoTests;
  return `tests: ${results.numPassedTests} passed, ${failed} failed, ${skipped} skipped`;
}
