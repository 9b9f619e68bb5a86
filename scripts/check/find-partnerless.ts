import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTest, type SourceFile, sourceFiles } from './source-files.ts';
import { statementsOf } from './sql-statements.ts';

/** Marks a statement that reads or writes rows of all partners on purpose. */
const OPT_OUT = '/* all partners';

/**
 * Finds each `sql` statement of the server that uses a tenant-owned table without comparing its
 * `partner_id`. Such a statement could reach another partner's rows, and it cannot use the primary
 * key. A statement that means all partners, such as a job's claim, says so in a comment.
 *
 * A fragment is checked where it is written, together with the fragments inside its placeholders.
 * What a called function adds is checked in that function.
 */
export function findPartnerless(files: readonly SourceFile[], schema: string): string[] {
  const tables = tenantTables(schema);
  if (tables.length === 0) throw new Error('No table has a partner_id. The search is broken.');
  return files
    .filter(({ path }) => /^apps\/server\/src\/.*\.ts$/.test(path) && !isTest(path))
    .flatMap((file) =>
      statementsOf(file).flatMap(({ line, text }) =>
        partnerlessTables(text, tables).map(
          (table) =>
            `${file.path}:${line}: compare the partner_id of ${table}, or say ${OPT_OUT} */`,
        ),
      ),
    );
}

/** Returns the tables that have a column `partner_id`. */
export function tenantTables(schema: string): string[] {
  return [...schema.matchAll(/^create table (\w+) \(\n([\s\S]*?)^\)/gm)].flatMap(
    ([, name, body]) => (name && /^ {2}partner_id /m.test(body ?? '') ? [name] : []),
  );
}

// Words that may follow a table's name and are not its alias.
const NOT_ALIAS =
  /^(as|cross|for|from|full|group|inner|join|lateral|left|limit|on|order|returning|select|set|union|using|values|where)$/;

/** Returns the tables whose `partner_id` the statement does not compare. */
function partnerlessTables(text: string, tables: readonly string[]): string[] {
  if (text.includes(OPT_OUT)) return [];
  const uses = new RegExp(
    `\\b(insert into|from|join|update|using|,)\\s*(${tables.join('|')})\\b(?!\\s+as\\s+\\()(?:(?=\\s+(?:as\\s+)?(\\w+))|)`,
    'g',
  );
  return [...text.matchAll(uses)].flatMap(([match, verb, table = '', word], index, all) => {
    const alias = word !== undefined && !NOT_ALIAS.test(word) ? word : undefined;
    // The word after a comma is a table only in a list of tables with aliases. Elsewhere it is a column.
    if (verb === ',' && alias === undefined) return [];
    const rest = text.slice((all[index]?.index ?? 0) + match.length);
    const isNamed =
      verb === 'insert into'
        ? /^\s*(?:as\s+\w+\s*)?\([^)]*\bpartner_id\b/.test(rest)
        : compares(text, alias ?? table) || (alias === undefined && compares(text));
    return isNamed ? [] : [table];
  });
}

/** Returns whether the text compares this table's partner: `t.partner_id = …`, `(t.partner_id, …)`, or `areRows([…`. */
function compares(text: string, name?: string): boolean {
  const column = name === undefined ? '(?<![.\\w])partner_id' : `\\b${name}\\.partner_id`;
  return new RegExp(
    `${column}\\s*=|=\\s*${column}\\b|\\(\\s*${column}\\s*,|\\[sql.${column}.,`,
  ).test(text);
}

if (process.argv[1] === import.meta.filename) {
  const root = process.cwd();
  const schema = readFileSync(join(root, 'apps/server/schema.sql'), 'utf8');
  const found = findPartnerless(sourceFiles(join(root), /\.ts$/), schema);
  for (const problem of found) console.log(problem);
  console.log(`${found.length} statements without their partner`);
  process.exitCode = found.length > 0 ? 1 : 0;
}
