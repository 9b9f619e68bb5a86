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
