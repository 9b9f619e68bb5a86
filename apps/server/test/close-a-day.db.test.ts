import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { administer } from '../src/operator/administer.ts';
import { parseCommandLine } from '../src/operator/parse-command-line.ts';
import { day, playPayments } from './payments/play-payments.ts';
import { openStage, type Stage } from './support/open-stage.ts';

let stage: Stage;
const folder = mkdtempSync(join(tmpdir(), 'svc-close-'));
beforeAll(async () => {
  stage = await openStage({ now: '2026-01-26T15:00:00Z' });
});
afterAll(async () => {
  await stage.close();
  rmSync(folder, { recursive: true, force: true });
});

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const page = readFileSync(new URL('../../../docs/operate/close-a-day.md', import.meta.url), 'utf8');
const commands = [...page.matchAll(/^npm run svc-admin -- (.+)$/gm)].map(([, line = '']) => line);

/** Runs a command line like `cli.ts`, with its files in the test's folder. */
async function run(line: string): Promise<string> {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, word]) => quoted ?? word ?? '',
  );
  const inFolder = words.map((word) => (/\.(csv|xml)$/.test(word) ? join(folder, word) : word));
  const call = parseCommandLine(inFolder);
  if ('help' in call) throw new Error(`${line} printed the help.`);
  const { command, input, request, reason, out } = call;
  const { db, service } = stage;
  const clock = { now: () => stage.clock.now, after: () => () => {} };
  const parts = { commands: { db, clock, vault: service.vault, service }, service, log: quiet };
  const answer = await administer({ ...parts, revoked() {} }, request, {
    user: 'anna',
    ...(reason !== undefined && { reason }),
  });
  if (!answer.ok) throw new Error(`${line}: ${answer.message}`);
  const text = command.describe(answer.result, input);
  if (out !== undefined) writeFileSync(out, text);
  return text;
}

test('the commands of docs/operate/close-a-day.md close a day with the simulator’s files', async () => {
  expect(commands).toHaveLength(12);
  const partner = await stage.newPartner();
  const play = playPayments(stage, partner);
  await play.accept(await play.toPlanChoice('ada'));
  await play.pass(day);
  const printed = new Map<string, string>();
  for (const line of commands) printed.set(line.split(' ').slice(0, 2).join(' '), await run(line));
  expect(printed.get('statement import')).toContain(
    'Imported 1 statement of processor with 1 line.',
  );
  // The deposit of the next morning waits for its own statements.
  expect(printed.get('books exceptions')).toMatch(/2026-01-27 +0 d/);
  expect(printed.get('books exceptions')).not.toContain('2026-01-26');
  expect(printed.get('books close')).toMatch(
    /Closed 2026-01-26 as seal 1, [0-9a-f]{64}\.\nEverything is matched\./,
  );
  expect(printed.get('books verify')).toContain(
    'Closed through 2026-01-26, 1 seals, 2 statements.',
  );
  expect(printed.get('books verify')).not.toContain('FAULT');
  expect(printed.get('books trial-balance')).toContain('1100  Balance at the processor');
  expect(readFileSync(join(folder, 'january.csv'), 'utf8')).toMatch(/^date,posted_at,transfer/);
});
