import { DatabaseUnreachable, isUniqueViolation, NoUsableHost, sqlState } from './errors.ts';
import { openDatabase } from './open.ts';
import { describeDatabaseUrl } from './session/hosts.ts';
import { raw } from './sql.ts';
import type { DatabaseLog } from './types.ts';

const urlParts = /^(postgres(?:ql)?:\/\/[^/?#]*)\/([^?#]+)(\?[^#]*)?$/;
// Copying the template takes longer than a statement of the service may.
const createMs = 60_000;

/**
 * Creates the database that the URL names if the server does not have it, as the URL's user and through
 * the server's database `postgres`. Does nothing if it exists, or if the server cannot be reached, which
 * opening it will report.
 * @throws DatabaseUnreachable when it cannot be created
 */
export async function createServerDatabase(
  url: string,
  { log }: { readonly log: DatabaseLog },
): Promise<void> {
  const [, server, name = '', parameters = ''] = urlParts.exec(url) ?? [];
  if (server === undefined || !(await isMissing(url, log))) return;
  const quoted = `"${decodeURIComponent(name).replaceAll('"', '""')}"`;
  try {
    const limits = { statement: createMs };
    const db = await openDatabase({ url: `${server}/postgres${parameters}` }, { log, limits });
    await db.run(raw(`create database ${quoted}`)).finally(() => db.close());
  } catch (cause) {
    // Another process has created it: before this statement (42P04), or at the same time.
    if (sqlState(cause) === '42P04' || isUniqueViolation(cause)) return;
    const reason =
      sqlState(cause) === '42501'
        ? `its user may not create databases. As a superuser, run: create database ${quoted} owner <user>`
        : (cause as Error).message.replace(/\.$/, '');
    throw new DatabaseUnreachable(
      `The database at ${describeDatabaseUrl(url)} does not exist and cannot be created: ${reason}.`,
      { cause },
    );
  }
}

async function isMissing(url: string, log: DatabaseLog): Promise<boolean> {
  try {
    await (await openDatabase({ url }, { log, pool: 1 })).close();
    return false;
  } catch (error) {
    return causesOf(error).some((it) => sqlState(it) === '3D000');
  }
}

/** Returns the error and all of its causes. */
function causesOf(error: unknown): unknown[] {
  if (!(error instanceof Error)) return [];
  const causes = error instanceof NoUsableHost ? [...error.failures, error.cause] : [error.cause];
  return [error, ...causes.flatMap(causesOf)];
}
