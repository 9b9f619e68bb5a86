import { installation } from '../../domain/audit/record.ts';
import { retryOutbox } from '../../relay/administer-outbox.ts';
import { argument, defineCommand, option } from '../command.ts';
import { readId } from '../read-values.ts';

export const readMessageId = readId('evt', { name: '--message', from: 'outbox list' });

export const outboxRetry = defineCommand({
  name: 'outbox retry',
  summary: 'hand parked messages over again, or only --message, without waiting',
  input: {
    pms: argument('<pms>'),
    message_id: option('--message <id>', 'only this message', readMessageId),
  },
  effect: 'change',
  console: { needs: 'keys', partner: 'pms' },
  needsReason: true,
  async run({ tx, now, record }, scope) {
    const result = await retryOutbox(tx, scope, now);
    const details = { ...scope, ...result };
    await record(installation, { action: 'outbox.retried', details });
    return result;
  },
  describe: ({ retried }, { pms }) =>
    `${retried} parked messages of ${pms} are pending again, in their old order. What waited after a failure is tried at once.\n`,
});
