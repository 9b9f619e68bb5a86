import { sql } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AchStage, openAchStage } from '../../../../test/support/ach-stage.ts';
import { readConfig } from '../../../config.ts';
import { administer, describeResult, type OperatorRequest } from '../../../operator/administer.ts';
import { parseCommandLine } from '../../../operator/parse-command-line.ts';
import { achBank } from './ach-bank.ts';

let stage: AchStage;
beforeAll(async () => {
  stage = await openAchStage();
});
afterAll(() => stage.close());

/** Runs a command as the command line does, whose result comes through a socket as JSON. */
async function svc(request: OperatorRequest): Promise<string> {
  const { db, service, now } = stage;
  const clock = { now, after: () => () => {} };
  const commands = { db, clock, vault: service.vault, service };
  const log = { info() {}, warn() {}, error() {} };
  const parts = { commands, service, log, revoked() {} };
  const answer = await administer(parts, request, { user: 'ops-ada', reason: 'a test' });
  if (!answer.ok) return answer.message;
  return describeResult(request, JSON.parse(JSON.stringify(answer.result)) as object);
}

test('an operator sees files, sends a refused one again, and plays the bank in the sandbox', async () => {
  expect(await svc({ command: 'ach list' })).toBe(
    'There are no ACH files. No entry waits for a file.\n',
  );
  const from = await stage.open('000111110001');
  const returnUrl = 'https://svc.example';
  const payment = { ...from, key: 'pay_1', amountInCents: 41_000, returnUrl };
  await stage.processor.charge({ ...payment, occasion: 'first' });
  expect(await svc({ command: 'ach list' })).toContain(
    'Waiting for the next file, at 2026-02-02T22:00:00.000Z: 1 entry.',
  );
  await stage.at('2026-02-02T22:00:00Z');
  const list = await svc({ command: 'ach list' });
  expect(list).toMatch(
    /2026-02-02T22:00 +ach_\w+ +ACH-2026-02-02-A\.txt +sent +1 +410\.00 +0\.00 +0/,
  );
  const file_id = /ach_\w+/.exec(list)?.[0] ?? '';
  expect(await svc({ command: 'ach show', file_id })).toMatch(
    /0000001 +debit +410\.00 +2026-02-03 +sent +pay_1 +partner-1/,
  );
  expect(await svc({ command: 'ach dismiss', file_id })).toContain(
    'Only a rejected file or one with exceptions is dismissed',
  );
  expect(await svc({ command: 'ach resend', file_id })).toContain(
    '1 entry of ACH-2026-02-02-A.txt',
  );
  const audited = await rowsOf<{ action: string; details: object }>(
    stage.db,
    sql`select action, details from audit_entry where subject_id = ${file_id}`,
  );
  expect(audited).toEqual([
    {
      action: 'ach.resent',
      details: { name: 'ACH-2026-02-02-A.txt', entries: 1, reason: 'a test' },
    },
  ]);

  const playBank = async (line: string, environment: 'sandbox' | 'production' = 'sandbox') => {
    const call = parseCommandLine(line.split(' '));
    if ('help' in call) throw new Error(`${line} printed the help.`);
    const config = {
      ...readConfig({}),
      environment,
      processor: 'ach',
      processorSettings: stage.settings,
    };
    const clock = { now: stage.now, after: () => () => {} };
    const log = { info() {}, warn() {}, error() {} };
    return achBank.describe(
      await achBank.run({ readConfig: () => config, clock, log }, call.input),
      call.input,
    );
  };
  await stage.at('2026-02-03T14:00:00Z');
  expect(await playBank('ach-bank')).toMatch(/outbox: 1\. It answered 1 of them in RETURN-/);
  await stage.at('2026-02-04T14:00:00Z');
  const [entry] = await rowsOf(stage.db, sql`select state, return_code from ach_entry`);
  expect(entry).toEqual({ state: 'failed', return_code: 'R01' });
  await expect(playBank('ach-bank --trace 0000009 --code R10')).rejects.toThrow(
    'No file in the archive has the trace 0000009',
  );
  await expect(playBank('ach-bank --trace 0000009')).rejects.toThrow('--trace and --code together');
  await expect(playBank('ach-bank', 'production')).rejects.toThrow('SVC_ENVIRONMENT=sandbox');
});
