/** The newest items of a list that an operator's command prints. */
export interface Listed<T> {
  readonly items: readonly T[];
  /** True if older items were left out. */
  readonly has_more: boolean;
}

export const mostListed = 500;

/** Cuts rows, of which the caller selected one more than the limit, to the limit. */
export function listNewest<T>(rows: readonly T[], limit: number = mostListed): Listed<T> {
  return { items: rows.slice(0, limit), has_more: rows.length > limit };
}

/** A row with its instants as text, as JSON has them. */
export type InJson<Row> = {
  readonly [Key in keyof Row]: Date extends Row[Key] ? Exclude<Row[Key], Date> | string : Row[Key];
};

export function inJson<Row extends object>(row: Row): InJson<Row> {
  const entries = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return Object.fromEntries(entries) as InJson<Row>;
}
