import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { useService } from '../../server/test/harness.ts';
import { type Block, parseBlocks } from '../src/generate/blocks.ts';
import { parseFence } from '../src/generate/fence.ts';
import { readPages } from '../src/generate/pages.ts';

// Runs the shell blocks marked `run` against a real service, page by page in one shell each, and
// compares the blocks marked `output` with the answer of the block before them.

const run = promisify(execFile);
const svc = await useService();
const root = fileURLToPath(new URL('../../../', import.meta.url));
const hasTools = await run('curl', ['--version']).then(
  () => true,
  () => false,
);

interface Step {
  readonly command: string;
  readonly output: string | null;
}

const pages = readPages(root)
  .map(({ file, source }) => ({ file, steps: stepsOf(parseBlocks(source)) }))
  .filter(({ steps }) => steps.length > 0);

test('pages have commands to run', () => {
  expect(pages.map(({ file }) => file)).toContain('docs/rehearsal.md');
});

test.skipIf(!hasTools).each(pages)(
  'the commands of $file work in their order',
  async ({ steps }) => {
    const { key, pms } = await svc.newPartner();
    // Fails on an HTTP error, and shows the answer.
    const prelude = 'set -e\ncurl() { command curl --silent --show-error --fail-with-body "$@"; }';
    const mark = '=== next ===';
    const commands = steps.map(({ command }) =>
      command.replaceAll('http://localhost:4000', svc.url),
    );
    const script = [prelude, commands.join(`\necho; echo '${mark}'\n`)].join('\n');
    const env = { ...process.env, SVC_API_KEY: key, SVC_PMS: pms };
    const { stdout } = await run('bash', ['-c', script], { env }).catch((error) => {
      throw new Error(`${error.stderr}\n${error.stdout}`);
    });
    const answers = stdout.split(mark);
    expect(answers).toHaveLength(steps.length);
    for (const [index, { output }] of steps.entries()) {
      if (output === null) continue;
      expect(JSON.parse(answers[index] ?? '')).toEqual(pattern(JSON.parse(output)));
    }
  },
);

function stepsOf(blocks: readonly Block[]): Step[] {
  const steps: Step[] = [];
  for (const block of blocks) {
    if (block.kind === 'container' || block.kind === 'tab') steps.push(...stepsOf(block.children));
    if (block.kind !== 'fence' || /^(states|sequence)/.test(block.info)) continue;
    const fence = parseFence(block.info);
    if (fence.run) steps.push({ command: block.code, output: null });
    const last = steps.at(-1);
    if (fence.output && last) steps[steps.length - 1] = { ...last, output: block.code };
  }
  return steps;
}

/** An object may have more fields than the page shows, and `…` stands for any text. */
function pattern(shown: unknown): unknown {
  if (shown === '…') return expect.any(String);
  if (Array.isArray(shown)) return shown.length === 0 ? expect.any(Array) : shown.map(pattern);
  if (typeof shown !== 'object' || shown === null) return shown;
  return expect.objectContaining(
    Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, pattern(value)])),
  );
}
