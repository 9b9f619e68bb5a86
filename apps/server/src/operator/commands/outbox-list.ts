import { listOutbox } from '../../relay/administer-outbox.ts';
import { defineCommand, optionalArgument } from '../command.ts';
import { formatMinute, olderLeftOut } from '../format.ts';
import { table } from '../table.ts';

export const outboxList = defineCommand({
  name: 'outbox list',
  summary: 'list messages that another system does not have yet, and parked ones',
  input: { pms: optionalArgument('[pms]') },
  effect: 'report',
  console: { needs: 'read', partner: 'pms' },
  readsPrimary: true,
  run: ({ tx, now }, input) => listOutbox(tx, input, now),
  describe({ streams, parked }) {
    const waiting = table(
      'messages that wait',
      ['partner', 'for', 'waiting', 'oldest', 'failures', 'next try', 'last error'],
      streams.map((it) => [
        it.pms,
        it.destination,
        String(it.waiting),
        formatMinute(it.oldest_at),
        String(it.failures),
        it.next_try_at === null ? 'now' : formatMinute(it.next_try_at),
        it.last_error ?? '',
      ]),
    );
    const refused = table(
      'parked messages',
      ['parked', 'partner', 'for', 'message', 'type', 'reason'],
      parked.items.map((it) => [
        formatMinute(it.parked_at),
        it.pms,
        it.destination,
        it.message_id,
        it.type ?? '',
        it.reason,
      ]),
      parked.has_more ? olderLeftOut : '',
    );
    return `${waiting}\n${refused}`;
  },
});
