import type { ReactNode } from 'react';
import type { Filters } from '../api/api-list.ts';
import { MenuFilter, type Option } from './menu-filter.tsx';
import { TextFilter } from './text-filter.tsx';
import { TimeFilter } from './time-filter.tsx';

/** One filter in the bar of a list. `change` sets the named filters and keeps all others. */
export type ListFilter<Name extends string> = (props: {
  filters: Filters<Name>;
  change: (part: Filters<Name>) => void;
}) => ReactNode;

/** Returns a filter whose options are known in advance. */
export function menuFilter<Name extends string>(
  name: Name,
  label: string,
  options: readonly Option[],
  { many = false }: { readonly many?: boolean } = {},
): ListFilter<Name> {
  return ({ filters, change }) => (
    <MenuFilter
      label={label}
      many={many}
      value={filters[name]}
      options={options}
      onChange={(value) => change(only(name, value))}
    />
  );
}

interface TextOptions {
  readonly label: string;
  /** The label of the input, such as "Tenant id". */
  readonly input: string;
  /** The button's label. */
  readonly submit: string;
  readonly maxLength: number;
  /** Suggested values. Others can be typed. */
  readonly known?: readonly string[];
}

/** Returns a filter for one exact value that the user types. */
export function textFilter<Name extends string>(
  name: Name,
  options: TextOptions,
): ListFilter<Name> {
  return ({ filters, change }) => (
    <TextFilter
      {...options}
      value={filters[name]}
      onChange={(value) => change(only(name, value))}
    />
  );
}

export const PeriodFilter: ListFilter<'since' | 'until'> = ({ filters, change }) => (
  <TimeFilter since={filters.since} until={filters.until} onChange={change} />
);

function only<Name extends string>(name: Name, value: string | undefined): Filters<Name> {
  return { [name]: value } as Filters<Name>;
}
