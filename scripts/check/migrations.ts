import { readFileSync } from 'node:fs';
import { coordinatorTables, referenceTables } from '../../apps/server/src/cluster-tables.ts';
import {
  compareVersions,
  type Migration,
  type MigrationHeader,
  readMigrations,
} from '../../packages/db/src/read-migrations.ts';

// Rejects migrations that a running service of the last release could not survive, or that would make
// its statements wait. See "Change the schema" in CONTRIBUTING.md.

interface Checked {
  readonly name: string;
  readonly folder: string;
  /** The number of the last file that is older than this check. */
  readonly unchecked: number;
  /** The number of the last file that does not have to say where its tables are on a cluster. */
  readonly unplaced: number;
}

const SOURCES: readonly Checked[] = [
  { name: 'webhooks', folder: 'packages/webhooks/migrations', unchecked: 6, unplaced: 26 },
  { name: 'server', folder: 'apps/server/migrations', unchecked: 21, unplaced: 123 },
];

export interface Versions {
  readonly current: string;
  readonly lastRelease: string;
}

/** Returns `file: problem` for each step that must not run while services of the last release are running. */
export async function findUnsafeMigrations(
  root: string,
  sources: readonly Checked[] = SOURCES,
): Promise<string[]> {
  const versions = readVersions(root);
  const problems = [];
  for (const { name, folder, unchecked, unplaced } of sources) {
    const migrations = await readMigrations({ name, folder: `${root}/${folder}` });
    for (const migration of migrations.slice(unchecked)) {
      const file = `${folder}/${migration.name}.sql`;
      const found = problemsOf(migration, versions);
      if (migration.number > unplaced) found.push(...placeProblemsOf(migration));
      for (const problem of found) problems.push(`${file}: ${problem}`);
    }
  }
  return problems;
}

function readVersions(root: string): Versions {
  const { version } = JSON.parse(readFileSync(`${root}/apps/server/package.json`, 'utf8'));
  const [last] = JSON.parse(readFileSync(`${root}/scripts/release/releases.json`, 'utf8'));
  return { current: version, lastRelease: last.version };
}

/** Returns a file's problems. Only the declaration of a contract step is checked: it is meant to remove something. */
export function problemsOf(
  {
    oldestService,
    contract,
    kind,
    backfill,
    text,
  }: Pick<Migration, keyof MigrationHeader | 'text'>,
  { current, lastRelease }: Versions,
): string[] {
  if (oldestService === undefined) {
    return [
      `declare the oldest service that can run after it, such as "-- oldest-service: ${lastRelease}"`,
    ];
  }
  if (compareVersions(oldestService, current) > 0) {
    return [`needs service ${oldestService}, and this is ${current}: raise the version first`];
  }
  if (contract !== undefined) return [];
  const statements = statementsOf(text);
  const created = namesIn(statements, createdTable);
  const isOld = (table: string | undefined) => table !== undefined && !created.has(table);
  const problems = statements.flatMap((statement) =>
    problemsIn(statement, isOld, kind).map((problem) => `${problem} in "${shortened(statement)}"`),
  );
  if (compareVersions(oldestService, lastRelease) > 0) {
    problems.unshift(
      `services of ${lastRelease} could not run after it: change it so that they can, or declare "-- contract: <reason>"`,
    );
  }
  if (kind !== 'transaction' && statements.length !== 1) {
    problems.push(
      `a file with "-- ${kind}" holds one statement, this one has ${statements.length}`,
    );
  }
  if (backfill && !(text.includes('$1') && text.includes('$2'))) {
    problems.push(`limit the backfill by "where ${backfill.key} between $1 and $2"`);
  }
  const altered = [...namesIn(statements, alteredTable)].filter(isOld);
  if (altered.length > 1) {
    problems.push(
      `write one file for each of ${altered.join(', ')}: a step that waits for the second table keeps the first locked`,
    );
  }
  return problems;
}

/** Returns the problems of a file that creates tables and may run on a cluster (docs/operate/cluster.md). */
export function placeProblemsOf({ text }: Pick<Migration, 'text'>): string[] {
  const statements = statementsOf(text);
  const created = namesIn(statements, createdTable);
  if (created.size === 0) return [];
  const problems = [...created].flatMap((table) => {
    const declared = new RegExp(`^-- on a cluster: ${table} (.+)$`, 'm').exec(text)?.[1];
    const place = placeOf(table, statements);
    return declared === place
      ? []
      : [`declare "-- on a cluster: ${table} ${place}", or list the table in cluster-tables.ts`];
  });
  const altered = [...namesIn(statements, alteredTable)].filter((table) => !created.has(table));
  if (altered.length > 0) {
    problems.push(
      `alter ${altered.join(', ')} in a separate file: a cluster creates new tables on the coordinator first`,
    );
  }
  return problems;
}

function placeOf(table: string, statements: readonly string[]): string {
  if (referenceTables.includes(table)) return 'on every server';
  const definition = statements.find((it) => createdTable.exec(it)?.[1] === table) ?? '';
  const isDistributed = /\bpartner_id\b/.test(definition) && !coordinatorTables.includes(table);
  return isDistributed ? 'by partner' : 'on the coordinator';
}

const createdTable = /^create (?:unlogged )?table (?:if not exists )?(\w+)/;
const alteredTable = /^alter table (?:if exists )?(?:only )?(\w+)/;

const ALLOWED_ALONE = [
  /^create (unique )?index concurrently /,
  /^drop index concurrently if exists /,
  /^alter table (only )?\w+ validate constraint /,
];

function problemsIn(
  statement: string,
  isOld: (table: string | undefined) => boolean,
  kind: Migration['kind'],
): string[] {
  if (kind === 'no-transaction') {
    return ALLOWED_ALONE.some((allowed) => allowed.test(statement))
      ? []
      : [
          '"-- no-transaction" is for create index concurrently, drop index concurrently if exists and validate constraint',
        ];
  }
  const found = [];
  if (/^(create (unique )?|drop )index concurrently\b/.test(statement)) {
    return ['a concurrent index needs "-- no-transaction"'];
  }
  if (/^drop\b/.test(statement)) found.push('takes something away that the last release may use');
  const index = /^create (?:unique )?index (?:if not exists )?\w* ?on (?:only )?(\w+)/.exec(
    statement,
  );
  if (isOld(index?.[1])) found.push('blocks writes: create the index concurrently');
  const changed =
    /^(?:update|delete from|truncate|lock|cluster|reindex|vacuum)\b(?: table| only)* ?(\w*)/.exec(
      statement,
    );
  if (kind === 'transaction' && changed && isOld(changed[1])) {
    found.push('locks rows or the table for long: make it a "-- backfill"');
  }
  const altered = /^alter table (?:if exists )?(?:only )?(\w+) (.*)$/.exec(statement);
  if (altered && isOld(altered[1])) {
    found.push(...actionsOf(altered[2] ?? '').flatMap(problemsOfAction));
  } else if (
    /^alter (?!table|sequence|index)/.test(statement) &&
    !/^alter type \w+ add value /.test(statement)
  ) {
    found.push('changes what the last release may use');
  } else if (/^alter index\b.* rename\b/.test(statement)) {
    found.push('takes a name away that the last release may use');
  }
  return found;
}

function problemsOfAction(action: string): string[] {
  if (/^rename\b/.test(action)) return ['takes a name away that the last release may use'];
  if (/^drop\b/.test(action)) return ['takes something away that the last release may use'];
  if (/^set (schema|tablespace|logged|unlogged)\b/.test(action)) return ['moves the table'];
  if (/^validate\b/.test(action))
    return ['validate the constraint in a file with "-- no-transaction"'];
  if (/^alter\b/.test(action)) return problemsOfColumn(action);
  if (!/^add\b/.test(action)) return [];
  if (/^add (constraint|check|foreign|unique|primary|exclude)\b/.test(action)) {
    return /\bnot valid$|\busing index\b/.test(action)
      ? []
      : [
          'checks every row under a lock: add the constraint "not valid", and validate it in the next file',
        ];
  }
  return problemsOfNewColumn(action);
}

function problemsOfColumn(action: string): string[] {
  if (/\btype\b/.test(action))
    return ['a change of type rewrites the table and breaks the last release: add a column'];
  if (/\bset not null\b/.test(action)) return ['refuses rows that the last release writes'];
  if (/\bdrop\b/.test(action)) return ['takes a rule away that the last release may rely on'];
  return [];
}

function problemsOfNewColumn(action: string): string[] {
  const found = [];
  if (/\bnot null\b/.test(action) && !/\bdefault\b/.test(action)) {
    found.push('refuses rows that the last release writes: give the column a default');
  }
  if (/\b(check|references|unique|primary key|generated)\b/.test(action)) {
    found.push(
      'checks or rewrites every row under a lock: add the constraint "not valid" by its own action',
    );
  }
  if (/\bdefault \w+ ?\(/.test(action))
    found.push('a default that calls a function may rewrite the table');
  return found;
}

// One pattern for comments, strings and function bodies: the one that opens first wins, so that an apostrophe in a
// comment opens no string, and two hyphens in a string open no comment.
const NOT_CODE = new RegExp(
  [
    '--.*$',
    String.raw`/\*[\s\S]*?\*/`,
    String.raw`\$(?<tag>\w*)\$[\s\S]*?\$\k<tag>\$`,
    String.raw`\be'(?:[^'\\]|\\[\s\S]|'')*'`,
    "'(?:[^']|'')*'",
  ].join('|'),
  'gim',
);

/** Returns the statements in lower case and with single spaces, without comments, strings and function bodies. */
function statementsOf(text: string): string[] {
  return text
    .replace(NOT_CODE, (found) => (/^(--|\/\*)/.test(found) ? ' ' : "''"))
    .replaceAll('"', '')
    .toLowerCase()
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
}

/** Splits `add a int, drop b` at the commas outside of parentheses. */
function actionsOf(actions: string): string[] {
  let depth = 0;
  let current = '';
  const found = [];
  for (const character of actions) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) {
      found.push(current.trim());
      current = '';
    } else current += character;
  }
  return [...found, current.trim()];
}

function namesIn(statements: readonly string[], pattern: RegExp): Set<string> {
  return new Set(statements.flatMap((statement) => pattern.exec(statement)?.[1] ?? []));
}

function shortened(statement: string): string {
  return statement.length > 80 ? `${statement.slice(0, 79)}…` : statement;
}

if (process.argv[1] === import.meta.filename) {
  const problems = await findUnsafeMigrations(process.cwd());
  for (const line of problems) console.log(line);
  console.log(`${problems.length} unsafe migrations`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}
