import type { ProcessorTable } from './domain/payments/processor-records.ts';
import { processors } from './processors/index.ts';

// Which servers of a cluster store a table; see docs/operate/cluster.md and `cluster.ts`.

/** Small tables that every server of a cluster stores as a whole, because rows of all partners join them. */
export const referenceTables: readonly string[] = [
  'partner',
  'money_switch',
  'program_terms',
  'lending_rule',
];

/**
 * Tables that stay on the cluster's first server, the coordinator. All other tables with a `partner_id` are
 * distributed, those of later migrations included.
 */
export const coordinatorTables: readonly string[] = [
  // Found by their secret, before the partner is known.
  'api_key',
  'experience_session',
  'hosted_link',
  'portal_link',
  'portal_session',
  'operator_attempt',
  'operator_challenge',
  'operator_invite',
  'operator_session',
  'operator_visit',
  'tenant_token',
  // Stored before the partner is known.
  'processor_inbox',
  'text_inbound',
  // Written together with the engine's messages, which `/events` orders by transaction ids of one server.
  'outbox_item',
  'outbox_stream',
  // Compared with bank statements, which cover all partners.
  'book_item',
  'book_cut',
  // A few rows for each change by an operator or a key. Its trigger lets only one function delete, by a
  // setting of the session that workers do not see.
  'audit_entry',
  'audit_seal',
  'audit_unsealed',
  ...processors
    .flatMap(({ tables }): [string, ProcessorTable][] => Object.entries(tables))
    .filter(([, { staysOnCoordinator }]) => staysOnCoordinator)
    .map(([name]) => name),
];
