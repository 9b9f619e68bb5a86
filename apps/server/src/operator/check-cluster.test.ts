import { expect, test } from 'vitest';
import { findClusterProblems, type ServerFacts } from './check-cluster.ts';

const good = {
  postgres: '15.20',
  citus: '13.2-1',
  wal_level: 'logical',
  connections: 300,
  prepared: 300,
  is_superuser: true,
};

function problemsOf(changed: Partial<typeof good> | { citus: null } | undefined): string[] {
  const worker: ServerFacts = {
    name: '10.0.0.11:5432',
    facts: changed && { ...good, ...changed },
  };
  return findClusterProblems([{ name: '10.0.0.10:5432', facts: good }, worker]);
}

test('servers that are set up alike have no problem', () => {
  expect(problemsOf({})).toEqual([]);
});

test.each([
  [undefined, '10.0.0.11:5432 does not answer'],
  [{ citus: null }, '10.0.0.11:5432 has no Citus'],
  [{ wal_level: 'replica' }, 'wal_level = replica. Set it to logical'],
  [{ prepared: 0 }, 'max_prepared_transactions = 0. Set it to at least max_connections, 300'],
  [{ is_superuser: false }, 'be no superuser'],
  [{ citus: '13.1-1' }, 'Citus: 13.2-1 on 10.0.0.10:5432, 13.1-1 on 10.0.0.11:5432'],
  [{ postgres: '16.4' }, 'PostgreSQL: 15.20 on 10.0.0.10:5432, 16.4 on 10.0.0.11:5432'],
])('%o is a problem: %s', (changed, problem) => {
  expect(problemsOf(changed)).toEqual([expect.stringContaining(problem)]);
});
