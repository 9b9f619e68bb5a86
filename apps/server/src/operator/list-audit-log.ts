import { type AuditEntryOutput, auditEntryOutput } from '@svc/contract';
import { instant, json, nullable, oneOf, row, sql, text } from '@svc/db';
import type { Ctx } from '../context.ts';
import { type AuditEntry, installation, operatorActions } from '../domain/audit/record.ts';
import { type Listed, listNewest, mostListed } from '../domain/listed.ts';
import { requirePartner } from '../domain/partners/find-partner.ts';
import { processors } from '../processors/index.ts';

interface AuditFilter {
  /** One partner, or `operator`; all of them when left out. */
  readonly pms?: string;
  /** RFC 3339, inclusive. */
  readonly since?: string;
  /** An action such as `key.revoked`, or the part before its dot. */
  readonly action?: string;
  /** The id of an entry: only older ones are listed. */
  readonly before?: string;
  /** 1 to `mostListed`, which is the default. */
  readonly limit?: number;
}

/** One entry of the audit log as the operator sees it. */
export interface AuditLine
  extends Pick<
    AuditEntryOutput,
    'id' | 'credential_id' | 'endpoint_id' | 'subject_id' | 'details'
  > {
  readonly action: AuditEntry['action'];
  /** How the change was made; `bank` for a change by a file of a bank. */
  readonly via: AuditEntryOutput['via'] | 'bank';
  readonly occurred_at: string;
  /** The partner; `operator` for a command about the whole installation. */
  readonly pms: string;
  /** The name the console link was made for, or the operator's user name. */
  readonly person: string | null;
  /** Last characters of the API key, where known. */
  readonly ends_with: string | null;
  readonly request_id: string;
  readonly address: string | null;
}

const { action, via, details } = auditEntryOutput.shape;

/** The actions that commands about the whole installation record, including those of processors. */
export const auditActionsOfOperator = [
  ...operatorActions,
  ...processors.flatMap(({ auditActions }) => auditActions),
];

const lineRow = row('audit line', {
  id: text,
  occurred_at: instant,
  pms: text,
  action: oneOf(...action.options, ...auditActionsOfOperator),
  via: oneOf(...via.options, 'bank'),
  credential_id: text,
  endpoint_id: nullable(text),
  subject_id: nullable(text),
  details: json(details),
  request_id: text,
  address: nullable(text),
  ends_with: nullable(text),
  person: nullable(text),
});

/**
 * Lists the newest entries of all partners, or of one. Pass the id of the last one as `before` for the next page. An
 * id begins with the time of its entry, so ids and times have the same order.
 */
export async function listAuditLog(
  { tx }: Pick<Ctx, 'tx'>,
  { pms, since, action, before, limit = mostListed }: AuditFilter,
): Promise<Listed<AuditLine>> {
  const isPartner = pms !== undefined && pms !== installation;
  if (isPartner) await requirePartner(tx, pms);
  const rows = await tx.many(
    lineRow,
    sql`
    /* many rows: a list for the operator */
    /* all partners, unless the operator names one */
    select e.id, e.occurred_at, coalesce(p.pms, e.partner_id) as pms, e.action, e.via, e.credential_id, e.endpoint_id,
      e.subject_id, e.details, e.request_id, e.address, k.ends_with,
      case when e.via = 'cli' then e.credential_id else coalesce(o.name, s.person) end as person
    from audit_entry e
    left join partner p on p.id = e.partner_id
    left join api_key k
      on e.via = 'key' and k.partner_id = e.partner_id and k.id = e.credential_id
    left join portal_session s
      on e.via = 'portal' and s.partner_id = e.partner_id and s.id = e.credential_id
    left join operator o on e.via = 'operator' and o.id = e.credential_id
    where (${pms ?? null}::text is null or coalesce(p.pms, e.partner_id) = ${pms ?? null})
      and (${since ?? null}::timestamptz is null or e.occurred_at >= ${since ?? null}::timestamptz)
      and (${action ?? null}::text is null
        or ${action ?? null} in (e.action, split_part(e.action, '.', 1)))
      and (${before ?? null}::text is null or e.id < ${before ?? null})
    order by e.occurred_at desc, e.id desc limit ${limit + 1}`,
  );
  return listNewest(
    rows.map(({ occurred_at, ...row }) => ({ ...row, occurred_at: occurred_at.toISOString() })),
    limit,
  );
}
