import { auditActions, auditGroups } from '@svc/contract';
import { mostListed } from '../../domain/listed.ts';
import { defineCommand, option, optionalArgument } from '../command.ts';
import { type AuditLine, auditActionsOfOperator, listAuditLog } from '../list-audit-log.ts';
import { readId } from '../read-values.ts';
import { table } from '../table.ts';
import { UsageError } from '../usage-error.ts';

export const auditList = defineCommand({
  name: 'audit list',
  summary: 'list who changed what, newest first',
  input: {
    pms: optionalArgument('[pms]'),
    since: option(
      '--since <time>',
      'only entries from then on: 2026-02-01, or with a time',
      readInstant,
    ),
    action: option(
      '--action <name>',
      'only this action, such as key.revoked, or a group: key',
      readAction,
    ),
    limit: option('--limit <number>', `at most this many, 1 to ${mostListed}`, readLimit),
    before: option(
      '--before <entry id>',
      'only entries older than this one, for the next page',
      readId('aud', { name: '--before', from: 'audit list' }),
    ),
  },
  effect: 'report',
  console: { needs: 'read', partner: 'pms' },
  run: (ctx, filter) => listAuditLog(ctx, filter),
  describe: ({ items, has_more }) =>
    table(
      'audit entries that match',
      ['time', 'partner', 'action', 'by', 'endpoint', 'subject', 'details'],
      items.map((entry) => [
        `${entry.occurred_at.slice(0, 19).replace('T', ' ')} UTC`,
        entry.pms,
        entry.action,
        credentialOf(entry),
        entry.endpoint_id ?? '',
        entry.subject_id ?? '',
        Object.entries(entry.details)
          .map(([name, value]) => `${name}=${shortened(value)}`)
          .join(' '),
      ]),
      has_more
        ? `There are older entries. Add "--before ${items.at(-1)?.id}" for the next page.`
        : '',
    ),
});

const mostItems = 3;

/**
 * Formats a detail for a table cell. A list may have a hundred names, so only the first ones are shown; `--json`
 * shows all.
 */
function shortened(value: unknown): string {
  if (!Array.isArray(value) || value.length <= mostItems) return JSON.stringify(value);
  return `${JSON.stringify(value.slice(0, mostItems)).slice(0, -1)},… ${value.length} in all]`;
}

function credentialOf({ via, credential_id, person, ends_with }: AuditLine): string {
  switch (via) {
    case 'bank':
      return `${credential_id} (file of the bank)`;
    case 'cli':
      return `${credential_id} (command line)`;
    case 'key':
      return ends_with === null ? credential_id : `${credential_id} (…${ends_with})`;
    case 'portal':
      return person === null ? credential_id : `${credential_id} (${person})`;
  }
}

function readInstant(text: string): string {
  const instant = new Date(text);
  const isValid =
    /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,3})?)?Z)?$/.test(text) &&
    !Number.isNaN(instant.getTime()) &&
    // JavaScript reads 2026-02-30 as 2 March.
    instant.toISOString().startsWith(text.slice(0, 10));
  if (isValid) return instant.toISOString();
  throw new UsageError(
    `--since must be a date or an instant in UTC, such as 2026-02-01 or 2026-02-01T18:00:00Z, not "${text}".`,
  );
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (/^\d+$/.test(text) && limit >= 1 && limit <= mostListed) return limit;
  throw new UsageError(`--limit must be a number from 1 to ${mostListed}, not "${text}".`);
}

function readAction(text: string): string {
  const groups = new Set([
    ...auditGroups,
    ...auditActionsOfOperator.map((it) => it.split('.', 1)[0]),
  ]);
  const known: readonly (string | undefined)[] = [
    ...auditActions,
    ...auditActionsOfOperator,
    ...groups,
  ];
  if (known.includes(text)) return text;
  throw new UsageError(
    `--action "${text}" does not exist. Pass a group (${[...groups].join(', ')}) or one of its actions, such as key.revoked.`,
  );
}
