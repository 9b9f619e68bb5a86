/**
 * The kinds that only one processor uses, by its name. The folder of a processor adds its own by
 * declaration merging, so that the compiler checks them like all others.
 */
// biome-ignore lint/suspicious/noEmptyInterface: Each processor adds to it.
export interface ProcessorKinds {}

/** The kinds of accounts, transfers, audit entries or ids that processors have added. */
export type ProcessorKind<List extends 'account' | 'transfer' | 'auditAction' | 'id'> =
  ProcessorKinds[keyof ProcessorKinds][List];
