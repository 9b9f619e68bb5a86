import { argument, defineCommand } from '../../../operator/command.ts';
import { dollars } from '../../../operator/format.ts';
import { table } from '../../../operator/table.ts';
import { showFile } from '../manage-files.ts';

export const achShow = defineCommand({
  name: 'ach show',
  summary: 'list the entries of a file that we sent, or what was not applied of one from the bank',
  input: { file_id: argument('<file id>') },
  effect: 'report',
  console: { needs: 'read' },
  readsPrimary: true,
  run: ({ tx }, { file_id }) => showFile(tx, file_id),
  describe({ items, has_more, exceptions }) {
    if (exceptions.length > 0) {
      const rows = exceptions.map((it) => [
        String(it.line),
        it.resolved ? 'resolved' : 'open',
        it.reason,
      ]);
      return table('entries that were not applied', ['line', 'state', 'reason'], rows);
    }
    return table(
      'entries',
      ['trace', 'kind', 'amount', 'effective', 'state', 'code', 'key', 'partner'],
      items.map((it) => [
        it.trace,
        it.kind,
        dollars(it.amount_in_cents),
        it.effective_on ?? '',
        it.state,
        it.return_code ?? '',
        it.key,
        it.pms,
      ]),
      has_more ? 'More entries are left out.' : '',
    );
  },
});
