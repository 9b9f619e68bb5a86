import type { OperatorOutput } from '@svc/contract/operator';
import { search } from '../../domain/back-office/search.ts';
import { argument, defineCommand } from '../command.ts';
import { dollars } from '../format.ts';
import { table } from '../table.ts';

type Found = OperatorOutput<'POST', '/search'>['items'][number];

export const tenantFind = defineCommand({
  name: 'tenant find',
  summary: 'find tenants and what belongs to them, by name, e-mail, phone, any id or reference',
  input: { query: argument('<text>') },
  effect: 'report',
  /** Returns no names of people, only which tenants match the text that was typed. */
  async run({ tx, now, service, by }, { query }) {
    const actor = {
      kind: 'operator',
      operatorId: by.user,
      name: by.user,
      role: 'support',
      partners: null,
      sessionId: '',
      expiresAt: now,
      provenAt: null,
      isEnrolling: false,
    } as const;
    const { items, has_more } = await search({ tx, now, service, actor }, { query });
    return { items: items.map(withoutName), has_more };
  },
  describe: ({ items, has_more }) =>
    table(
      'tenants, plans, payments or other things with it',
      ['tenant', 'what', 'id', 'state', 'amount', 'found by'],
      items.map((it) => [
        [it.partner, it.external_id].filter((part) => part !== null).join('/'),
        it.kind.replace('_', ' '),
        it.id,
        it.state ?? '',
        it.amount_in_cents === null ? '' : dollars(it.amount_in_cents),
        it.found_by.replace('_', ' '),
      ]),
      has_more ? `Only ${items.length} are listed. Type more of it.` : '',
    ),
});

function withoutName({ kind, id, partner, external_id, state, amount_in_cents, found_by }: Found) {
  return { kind, id, partner, external_id, state, amount_in_cents, found_by };
}
