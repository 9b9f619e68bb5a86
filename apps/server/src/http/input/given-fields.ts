type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Without the keys whose value is undefined: left out means left out. */
export function givenFields<T extends object>(value: T): Given<T> {
  const entries = Object.entries(value).filter(([, field]) => field !== undefined);
  return Object.fromEntries(entries) as Given<T>;
}
