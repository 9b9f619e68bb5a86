/** The newest of what an operator's command lists. */
export interface Listed<T> {
  readonly items: readonly T[];
  /** There are older ones. */
  readonly has_more: boolean;
}

export const mostListed = 500;

/** Of one row more than is listed. */
export function listed<T>(rows: readonly T[]): Listed<T> {
  return { items: rows.slice(0, mostListed), has_more: rows.length > mostListed };
}
