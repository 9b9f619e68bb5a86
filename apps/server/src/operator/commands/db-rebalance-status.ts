import { defineCommand } from '../command.ts';
import { countOf } from '../format.ts';
import { describeStep } from '../rebalance.ts';
import { listMoves, nothingToRebalance, readMoves } from './db-rebalance-plan.ts';

export const dbRebalanceStatus = defineCommand({
  name: 'db rebalance status',
  summary: 'say which partners move to another worker now, and what is unfinished',
  effect: 'report',
  scope: 'schema',
  run: readMoves,
  hasFailed: ({ moves, running, leftovers, problems }) =>
    moves.length + running.length + leftovers + problems.length > 0,
  describe({ moves, running, leftovers, problems, ...rest }) {
    if (moves.length + running.length + leftovers + problems.length === 0)
      return nothingToRebalance(rest);
    return [
      ...problems.map((it) => `${it}\n`),
      ...running.map(
        (it) =>
          `${it.group === null ? 'The tables that every server stores are copied' : `Group ${it.group} moves`} from ${it.from} to ${it.to}, by PostgreSQL process ${it.pid}: ${describeStep(it)}.\n`,
      ),
      ...(leftovers === 0
        ? []
        : [
            `${countOf(leftovers, 'old copy of a table is', 'old copies of tables are')} not removed yet. Citus tries it every 15 s, and "apply" does.\n`,
          ]),
      ...(moves.length === 0 ? [] : ['"svc-admin db rebalance apply" moves:\n', listMoves(moves)]),
    ].join('');
  },
});
