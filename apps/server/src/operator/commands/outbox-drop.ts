import { installation } from '../../domain/audit/record.ts';
import { dropParked } from '../../relay/administer-outbox.ts';
import { argument, defineCommand, requiredOption } from '../command.ts';
import { readMessageId } from './outbox-retry.ts';

export const outboxDrop = defineCommand({
  name: 'outbox drop',
  summary: 'give up a parked --message: the other system never gets it',
  input: {
    pms: argument('<pms>'),
    message_id: requiredOption('--message <id>', 'one that "outbox list" names', readMessageId),
  },
  effect: 'change',
  console: { needs: 'keys', partner: 'pms' },
  needsReason: true,
  async run({ tx, record }, { pms, message_id }) {
    const result = await dropParked(tx, { pms, message_id });
    const details = { pms, destinations: result.destinations.join(', ') };
    await record(installation, { action: 'outbox.dropped', subject_id: message_id, details });
    return result;
  },
  describe: ({ destinations }, { message_id }) =>
    `${message_id} is dropped: ${destinations.join(' and ')} will never get it. It stays in /events.\n`,
});
