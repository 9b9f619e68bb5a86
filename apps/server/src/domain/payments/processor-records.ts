import type { Sql } from '@svc/db';
import type { ProcessorKind } from '../../processor-kinds.ts';

export interface ChartAccount {
  /** For an accountant's software: 1 assets, 2 liabilities, 4 income, 5 expenses. */
  readonly number: number;
  readonly name: string;
  readonly type: 'asset' | 'liability' | 'income' | 'expense';
}

/**
 * The records of one processor: its own tables, and what it posts to the ledger. The service knows the records of
 * every processor, because they stay when another one is set up.
 */
export interface ProcessorRecords {
  /** The tables by their names in the database. */
  readonly tables: Readonly<Record<string, ProcessorTable>>;
  readonly accounts: Partial<Readonly<Record<ProcessorKind<'account'>, ChartAccount>>>;
  readonly transfers: Partial<Readonly<Record<ProcessorKind<'transfer'>, TransferRules>>>;
  /** Returns a query for `partner_id` and the key, as `id`, of the calls with a trace number in a file of the bank. */
  readonly tracedCalls?: (trace: string) => Sql;
}

export interface ProcessorTable {
  /** True if its rows have a `partner_id` and a `tenant_id`, and are part of the export of a tenant's data. */
  readonly isOfTenant?: true;
  /** A condition for the rows that are deleted with the tenant's data. All others are kept, such as for the books. */
  readonly erased?: Sql;
  /** True if its rows stay on the first server of a cluster, although they have a `partner_id`. */
  readonly staysOnCoordinator?: true;
}

/** How the books match the entries of one kind of transfer with the lines of a statement. */
interface TransferRules {
  /** The transfer's reference on a statement: an expression in which `c.source_id` is its source. */
  readonly reference: Sql;
  /** True if the bank makes one line of all transfers of the same day. */
  readonly isBookedByDay?: true;
  /** True if it takes back an earlier transfer with the same reference, before any statement shows that one. */
  readonly takesBack?: true;
}

/** Returns the kinds of transfers, of all processors, for which a rule holds. */
export function kindsWith(
  processors: readonly Pick<ProcessorRecords, 'transfers'>[],
  rule: 'isBookedByDay' | 'takesBack',
): string[] {
  const transfers = processors.flatMap((it) => Object.entries(it.transfers));
  return transfers.filter(([, rules]) => rules[rule]).map(([kind]) => kind);
}
