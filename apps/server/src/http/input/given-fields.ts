export type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Removes the keys whose value is undefined, for functions that tell `undefined` from a missing key. */
export function givenFields<T extends object>(value: T): Given<T> {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(entries) as Given<T>;
}
