import { payoutMethods } from '@svc/contract';
import { schedulePayouts } from '../../domain/payouts/settings.ts';
import { argument, defineCommand, option, requiredOption } from '../command.ts';
import { readLine, readOneOf } from '../read-values.ts';
import { UsageError } from '../usage-error.ts';

export const payoutSchedule = defineCommand({
  name: 'payout schedule',
  summary: 'set how a portal gets what we owe it: --method credit, debit or each',
  input: {
    pms: argument('<pms>'),
    method: requiredOption(
      '--method <method>',
      'credit: we send; debit: the portal debits us; each: no payouts',
      readOneOf('--method', [...payoutMethods, 'each'] as const),
    ),
    cut_off_hour: option('--cut-off <hour>', 'the hour in New York, 17 by default', readHour),
    destination: option(
      '--destination <text>',
      'what you call the portal’s account at your bank',
      readLine('--destination', { most: 100 }),
    ),
  },
  effect: 'control',
  console: { needs: 'money', partner: 'pms' },
  refuse: ({ method, destination }) =>
    method === 'credit' && destination === undefined
      ? 'with --method credit needs --destination: what you call the portal’s account at your bank'
      : undefined,
  async run(ctx, { cut_off_hour = 17, destination = '', ...schedule }) {
    const { partner_id, ...scheduled } = await schedulePayouts(ctx, {
      ...schedule,
      cut_off_hour,
      destination,
    });
    const { pms: _, next_at, ...details } = scheduled;
    await ctx.record(partner_id, { action: 'payout.scheduled', details });
    return { ...scheduled, next_at };
  },
  describe: ({ pms, method, next_at }) =>
    next_at === null
      ? `${pms} debits each settlement separately from now on.\n`
      : `${pms} gets payouts (${method}). The next cut-off is ${next_at}.\n`,
});

function readHour(text: string): number {
  if (/^\d{1,2}$/.test(text) && Number(text) < 24) return Number(text);
  throw new UsageError(`--cut-off must be an hour from 0 to 23, such as 17, not "${text}".`);
}
