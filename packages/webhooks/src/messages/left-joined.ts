import { type Column, nullable, type Row } from '@svc/db';

type Nullable<T> = { readonly [Key in keyof T]: Column<T[Key] | null> };

/** Makes the columns of a left-joined row nullable: all of them are null if there is no such row. */
export function leftJoined<T extends object>({ columns }: Row<T>): Nullable<T> {
  const entries = Object.entries<Column<unknown>>(columns);
  return Object.fromEntries(entries.map(([key, type]) => [key, nullable(type)])) as Nullable<T>;
}
