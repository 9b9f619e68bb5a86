import { defineCommand } from '../../../operator/command.ts';
import { countOf, dollars } from '../../../operator/format.ts';
import { table } from '../../../operator/table.ts';
import { type ListedFile, listFiles } from '../manage-files.ts';

export const achList = defineCommand({
  name: 'ach list',
  summary: 'list ACH files of 30 days, and how many entries wait for the next one',
  effect: 'report',
  console: { needs: 'read' },
  run: ({ tx, now }) => listFiles(tx, now),
  describe({ items, has_more, waiting, next_at }) {
    const rows = items.map((it) => [
      it.created_at.slice(0, 16),
      it.id,
      it.name,
      it.state,
      String(it.entries),
      ...(it.direction === 'out'
        ? [dollars(it.debits_in_cents), dollars(it.credits_in_cents), String(it.returned)]
        : ['', '', it.reason ?? exceptionsOf(it)]),
    ]);
    const waits =
      waiting === 0
        ? 'No entry waits for a file.'
        : `Waiting for the next file, at ${next_at}: ${countOf(waiting, 'entry', 'entries')}.`;
    if (rows.length === 0) return `There are no ACH files. ${waits}\n`;
    const head = [
      'created',
      'file id',
      'name',
      'state',
      'entries',
      'debits',
      'credits',
      'returned',
    ];
    return table('ACH files', head, rows, has_more ? `Older files are left out. ${waits}` : waits);
  },
});

function exceptionsOf({ exceptions }: ListedFile): string {
  if (exceptions === 0) return '';
  return `${countOf(exceptions, 'entry', 'entries')} not applied: see "svc-admin ach show"`;
}
