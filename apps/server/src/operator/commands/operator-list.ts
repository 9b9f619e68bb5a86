import { listNewest, mostListed } from '../../domain/listed.ts';
import { listPeople, type Person } from '../../domain/operators/people.ts';
import { defineCommand } from '../command.ts';
import { formatMinute } from '../format.ts';
import { table } from '../table.ts';

export const operatorList = defineCommand({
  name: 'operator list',
  summary: 'list the people of the operator’s console, with roles and ways to sign in',
  effect: 'report',
  console: { needs: 'people' },
  readsPrimary: true,
  async run(ctx) {
    const { items, has_more } = listNewest(await listPeople(ctx, mostListed + 1));
    // A running service sends the result to the command line as JSON.
    const people = items.map((it) => ({
      ...it,
      last_seen_at: it.last_seen_at?.toISOString() ?? null,
    }));
    return { items: people, has_more };
  },
  describe: ({ items, has_more }) =>
    table(
      'people',
      ['name', 'role', 'portals', 'signs in with', 'sessions', 'last signed in', 'id'],
      items.map((it) => [
        it.name,
        it.disabled_at === null ? it.role : 'ended',
        it.partners?.join(', ') ?? 'all',
        waysOf(it),
        String(it.open_sessions),
        it.last_seen_at === null ? 'never' : formatMinute(it.last_seen_at),
        it.id,
      ]),
      has_more ? `Only the first ${mostListed} are listed.` : '',
    ),
});

function waysOf({
  email,
  has_account,
  is_enrolled,
}: Pick<Person, 'email' | 'has_account' | 'is_enrolled'>): string {
  if (email !== null) return has_account ? email : `${email}, not yet`;
  return is_enrolled ? 'passkey or password' : 'the link only';
}
