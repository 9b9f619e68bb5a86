import { type Column, nullable, type Row } from '@svc/db';

type Nullable<T> = { readonly [Key in keyof T]: Column<T[Key] | null> };

/** The columns of a row that is left joined: all of them are null when there is none. */
export function leftJoined<T extends object>({ columns }: Row<T>): Nullable<T> {
  const entries = Object.entries<Column<unknown>>(columns);
  return Object.fromEntries(entries.map(([key, type]) => [key, nullable(type)])) as Nullable<T>;
}
