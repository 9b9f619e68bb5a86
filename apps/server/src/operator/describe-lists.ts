import type { ApiKeyLine, Dispute, Listed, Loss } from '../domain/index.ts';

export function describeKeys({ items }: { readonly items: readonly ApiKeyLine[] }): string {
  return table(
    ['key id', 'partner', 'ends with', 'created', 'last used', 'state'],
    items.map((it) => [
      it.key_id,
      it.pms,
      it.ends_with === null ? '' : `…${it.ends_with}`,
      minute(it.created_at),
      it.last_used_at === null ? '' : minute(it.last_used_at),
      it.revoked_at === null ? 'live' : `revoked ${minute(it.revoked_at)}`,
    ]),
    false,
  );
}

/** `2026-02-01 12:00 UTC`. */
function minute(instant: string): string {
  return `${instant.slice(0, 16).replace('T', ' ')} UTC`;
}

export function describeDisputes({ items, has_more }: Listed<Dispute>): string {
  return table(
    ['taken back', 'amount', 'reason', 'state', 'won on', 'tenant', 'plan'],
    items.map((it) => [
      it.taken_back_on,
      dollars(it.amount_in_cents),
      it.reason,
      it.state,
      it.won_on ?? '',
      `${it.pms}/${it.external_id}`,
      it.plan_id,
    ]),
    has_more,
  );
}

export function describeLosses({ items, has_more }: Listed<Loss>): string {
  return table(
    ['written off', 'amount', 'still owed', 'tenant', 'plan'],
    items.map((it) => [
      it.written_off_on,
      dollars(it.written_off_in_cents),
      dollars(it.still_owed_in_cents),
      `${it.pms}/${it.external_id}`,
      it.plan_id,
    ]),
    has_more,
  );
}

function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  hasMore: boolean,
): string {
  if (rows.length === 0) return 'There are none.\n';
  const lines = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...lines.map((line) => line[at]?.length ?? 0)));
  const texts = lines.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${[...texts, ...(hasMore ? ['… and older ones.'] : [])].join('\n')}\n`;
}

/** As people write it, without the sign. */
export function dollars(cents: number): string {
  return (cents / 100).toFixed(2);
}
