import { expect, test } from 'vitest';
import type { Answer } from './administer.ts';
import { confirmMoney } from './confirm-money.ts';
import { type Call, parseCommandLine } from './parse-command-line.ts';

const refund = 'payment refund pay_1 --all --reason x';
const result = { amount_in_cents: 41_003, our_loss_in_cents: 41_003 };

async function confirm(line: string, reply: string | null, answer: Answer = { ok: true, result }) {
  const call = parseCommandLine(line.split(' ')) as Call;
  const written: string[] = [];
  let rehearsals = 0;
  const confirmed = await confirmMoney(
    call,
    {
      isTerminal: reply !== null,
      write: (text) => written.push(text),
      ask: async (question) => {
        written.push(question);
        return reply ?? '';
      },
    },
    async () => {
      rehearsals += 1;
      return answer;
    },
  );
  return { confirmed, text: written.join(''), rehearsals };
}

test('on a terminal, a refund shows its amount and our loss, and waits for a yes', async () => {
  const { confirmed, text } = await confirm(refund, 'yes');
  expect(confirmed).toBe(true);
  expect(text).toContain('$410.03 of pay_1 will be sent back');
  expect(text).toContain('Our loss is $410.03');
  expect(text).toContain('Type "yes" to do it: ');
});

test.each(['no', '', 'y'])('the reply "%s" changes nothing', async (reply) => {
  const { confirmed, text } = await confirm(refund, reply);
  expect(confirmed).toBe(false);
  expect(text).toMatch(/Nothing was changed\.\n$/);
});

test('what would be refused is not asked for', async () => {
  const refusal = { ok: false, message: 'All of this payment was given back already.' } as const;
  const { confirmed, text } = await confirm(refund, 'yes', refusal);
  expect([confirmed, text]).toEqual([false, 'All of this payment was given back already.\n']);
});

test('what a command with this key has done is not asked for again', async () => {
  const done = { ok: true, result, doneAt: '2026-02-01T18:00:00.000Z' } as const;
  const { confirmed, text } = await confirm(`${refund} --idempotency-key t-1`, 'no', done);
  expect([confirmed, text]).toEqual([true, '']);
});

test('--yes and --dry-run ask nothing', async () => {
  expect(await confirm(`${refund} --yes`, 'no')).toMatchObject({ confirmed: true, rehearsals: 0 });
  expect(await confirm(`${refund} --dry-run`, null)).toMatchObject({ confirmed: true, text: '' });
});

test.each([refund, 'payout adjust oak --amount=-4100 --account credit_loss --reason x'])(
  'outside a terminal, "%s" needs a key, because a repeat would move money again',
  async (line) => {
    await expect(confirm(line, null)).rejects.toThrow('needs --idempotency-key <key>');
    await expect(confirm(`${line} --yes`, null)).rejects.toThrow('--idempotency-key');
    expect(await confirm(`${line} --idempotency-key t-1`, null)).toMatchObject({ confirmed: true });
  },
);

test.each([
  'payment return pay_1 --code R01 --reason x',
  `payout send pyt_${'0'.repeat(26)} --reason x`,
])('outside a terminal, "%s" needs none: a repeat finds it done', async (line) => {
  expect(await confirm(line, null)).toMatchObject({ confirmed: true });
});
