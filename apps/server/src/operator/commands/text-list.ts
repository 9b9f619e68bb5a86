import { listTexts, type TextLine } from '../../domain/texts/list-texts.ts';
import { defineCommand, flag, optionalArgument } from '../command.ts';
import { formatMinute } from '../format.ts';
import { table } from '../table.ts';

export const textList = defineCommand({
  name: 'text list',
  summary: 'list text messages of the last 30 days, or those --given-up',
  input: {
    pms: optionalArgument('[pms]'),
    given_up: flag('--given-up', 'only texts that could not be sent'),
  },
  effect: 'report',
  console: { needs: 'read', partner: 'pms' },
  run: (ctx, filter) => listTexts(ctx, filter),
  describe: ({ items, has_more }) =>
    table(
      'text messages',
      ['written', 'text id', 'tenant', 'type', 'state', 'why it was not sent'],
      items.map((it) => [
        formatMinute(it.created_at),
        it.text_id,
        `${it.pms}/${it.external_id}`,
        it.type,
        stateOf(it),
        it.failure ?? '',
      ]),
      has_more ? 'Older ones are left out.' : '',
    ),
});

function stateOf({ sent_at, due_at }: TextLine): string {
  if (sent_at !== null) return `sent ${formatMinute(sent_at)}`;
  return due_at === null ? 'not sent' : `next try ${formatMinute(due_at)}`;
}
