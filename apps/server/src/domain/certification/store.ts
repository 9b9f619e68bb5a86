import {
  type CertificationCaseOutput,
  type CertificationOutput,
  type CertificationStep,
  type CertificationSummaryOutput,
  certificationStates,
  pageCaseNames,
  pageCases,
  type ServiceCaseName,
} from '@svc/contract';
import {
  boolean,
  instant,
  integer,
  json,
  listOf,
  nullable,
  oneOf,
  type Queryable,
  type RowOf,
  row,
  sql,
  text,
} from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { Refusal } from '../refusal.ts';
import { certificationCases } from './cases.ts';
import type { Finding } from './finding.ts';

type OwnerCtx = Pick<Ctx<PartnerActor>, 'tx' | 'actor' | 'service'>;

const runRow = row('certification', {
  id: text,
  state: oneOf(...certificationStates),
  endpoint_id: text,
  endpoint_url: text,
  tenant_query_url: nullable(text),
  product_variant: oneOf('rent', 'hoa'),
  tenants: listOf(text),
  anyway: boolean,
  service_version: text,
  created_at: instant,
  last_step_at: instant,
  finished_at: nullable(instant),
  verdict: nullable(text),
  running_case: nullable(text),
  running_since: nullable(instant),
  attempt: integer,
  signed_payload: nullable(text),
  signature: nullable(text),
  signing_key_id: nullable(text),
});
/** A run as it is stored. */
export type CertificationRun = RowOf<typeof runRow>;

const caseRow = row('result of a case', {
  name: text,
  status: oneOf('pass', 'warn', 'fail', 'skipped'),
  summary: text,
  cause: nullable(text),
  fix: nullable(text),
  docs: nullable(text),
  steps: json(),
  tenants: listOf(text),
  ran_at: instant,
  duration_ms: nullable(integer),
  reported_by: oneOf('service', 'cli'),
});
type CaseRow = RowOf<typeof caseRow>;

const columns = sql`c.id, c.state, c.endpoint_id, c.endpoint_url, c.tenant_query_url, c.product_variant,
  c.tenants, c.anyway, c.service_version, c.created_at, c.last_step_at, c.finished_at, c.verdict, c.running_case,
  c.running_since, c.attempt, c.signed_payload, c.signature, c.signing_key_id`;

/** @throws Refusal `not_found` */
export async function readRun({ tx, actor }: OwnerCtx, id: string): Promise<CertificationRun> {
  const run = await tx.maybe(
    runRow,
    sql`
    select ${columns} from certification c where c.partner_id = ${actor.partnerId} and c.id = ${id}`,
  );
  if (!run) throw new Refusal('not_found', { message: 'There is no certification with this id.' });
  return run;
}

/** Like `readRun`, and keeps others from changing the run until the transaction ends. */
export async function lockRun({ tx, actor }: OwnerCtx, id: string): Promise<CertificationRun> {
  const run = await tx.maybe(
    runRow,
    sql`
    select ${columns} from certification c
    where c.partner_id = ${actor.partnerId} and c.id = ${id} for update`,
  );
  if (!run) throw new Refusal('not_found', { message: 'There is no certification with this id.' });
  return run;
}

/** Finds the partner's run that is not finished. */
export async function findRunning({ tx, actor }: OwnerCtx): Promise<CertificationRun | undefined> {
  return tx.maybe(
    runRow,
    sql`
    select ${columns} from certification c
    where c.partner_id = ${actor.partnerId} and c.state = 'running'`,
  );
}

/** Lists runs, newest first. The cursor is the last id shown. */
export async function listCertifications(
  { tx, actor }: OwnerCtx,
  { cursor, limit }: { readonly cursor?: string | undefined; readonly limit: number },
): Promise<{ items: CertificationSummaryOutput[]; next_cursor: string | null }> {
  const rows = await tx.many(
    runRow,
    sql`
    select ${columns} from certification c
    where c.partner_id = ${actor.partnerId} ${cursor === undefined ? sql`` : sql`and c.id < ${cursor}`}
    order by c.id desc limit ${limit + 1}`,
  );
  const items = rows.slice(0, limit).map(viewSummary);
  return { items, next_cursor: rows.length > limit ? (items.at(-1)?.id ?? null) : null };
}

/** Reads a run with all of its cases, including those that were not run. */
export async function readCertification(
  ctx: OwnerCtx,
  { id }: { readonly id: string },
): Promise<CertificationOutput> {
  const run = await readRun(ctx, id);
  const { signed_payload: payload, signature, signing_key_id: key_id } = run;
  const isSigned = payload !== null && signature !== null && key_id !== null;
  return {
    ...viewSummary(run),
    cases: await readCases(ctx, run),
    signed_report: isSigned ? { payload, signature, key_id } : null,
  };
}

/** Reads the result of one case that the service ran; null before it has run. */
export async function readResult(
  { tx, actor, service }: OwnerCtx,
  id: string,
  name: ServiceCaseName,
): Promise<CertificationCaseOutput | null> {
  const result = await tx.maybe(
    caseRow,
    sql`
    select name, status, summary, cause, fix, docs, steps, tenants, ran_at, duration_ms, reported_by
    from certification_case
    where partner_id = ${actor.partnerId} and certification_id = ${id} and name = ${name}`,
  );
  const certificationCase = certificationCases.find((it) => it.name === name);
  if (!result || !certificationCase) return null;
  const { area, title } = certificationCase;
  return { name, area, title, ...viewResult(result, service.publicOrigin) };
}

/** Reads the cases of a run in their order. In a finished run, cases that were not run are `skipped`. */
export async function readCases(
  { tx, actor, service }: OwnerCtx,
  { id, state }: Pick<CertificationRun, 'id' | 'state'>,
): Promise<CertificationCaseOutput[]> {
  const rows = await tx.many(
    caseRow,
    sql`
    select name, status, summary, cause, fix, docs, steps, tenants, ran_at, duration_ms, reported_by
    from certification_case
    where partner_id = ${actor.partnerId} and certification_id = ${id}`,
  );
  const results = new Map(rows.map((each) => [each.name, each]));
  const notRun = state === 'running' ? null : 'It was not run.';
  const described: Pick<CertificationCaseOutput, 'name' | 'area' | 'title' | 'reported_by'>[] = [
    ...certificationCases.map(({ name, area, title }) => {
      return { name, area, title, reported_by: 'service' as const };
    }),
    ...pageCaseNames.map((name) => {
      return { name, area: 'page' as const, title: pageCases[name], reported_by: 'cli' as const };
    }),
  ];
  return described.map((caseFacts) => {
    const result = results.get(caseFacts.name);
    if (result) return { ...caseFacts, ...viewResult(result, service.publicOrigin) };
    return {
      ...caseFacts,
      status: notRun === null ? 'pending' : 'skipped',
      summary: notRun,
      cause: null,
      fix: null,
      docs_url: null,
      steps: [],
      ran_at: null,
      duration_in_ms: null,
    };
  });
}

export interface NewResult {
  readonly name: string;
  readonly finding: Finding;
  /** The page of the docs, as a path. */
  readonly docs: string | null;
  readonly steps: readonly CertificationStep[];
  readonly tenants: readonly string[];
  readonly durationMs: number | null;
  readonly reportedBy: 'service' | 'cli';
}

/** Stores the result of a case, and replaces an earlier one. Keeps the tenants of both. */
export async function storeResult(
  { tx, actor, now }: Pick<Ctx<PartnerActor>, 'tx' | 'actor' | 'now'>,
  certificationId: string,
  { name, finding, docs, steps, tenants, durationMs, reportedBy }: NewResult,
): Promise<void> {
  const mistake = 'cause' in finding ? finding : null;
  await tx.run(sql`
    insert into certification_case as c (partner_id, certification_id, name, status, summary, cause,
      fix, docs, steps, tenants, ran_at, duration_ms, reported_by)
    values (${actor.partnerId}, ${certificationId}, ${name}, ${finding.status},
      ${clipped(finding.summary)}, ${mistake && clipped(mistake.cause)},
      ${mistake && clipped(mistake.fix)}, ${docs}, ${JSON.stringify(steps)}::jsonb,
      ${[...tenants]}::text[], ${now}, ${durationMs}, ${reportedBy})
    on conflict (partner_id, certification_id, name) do update set status = excluded.status,
      summary = excluded.summary, cause = excluded.cause, fix = excluded.fix, docs = excluded.docs,
      steps = excluded.steps, tenants = c.tenants || excluded.tenants, ran_at = excluded.ran_at,
      duration_ms = excluded.duration_ms, reported_by = excluded.reported_by`);
}

const tenantsRow = row('tenants of a case', { tenants: listOf(text) });

/** Reads the external ids of all tenants that the cases of a run played. */
export async function readTenantsOfRun(
  tx: Queryable,
  { partnerId, id }: { readonly partnerId: string; readonly id: string },
): Promise<string[]> {
  const rows = await tx.many(
    tenantsRow,
    sql`
    select tenants from certification_case
    where partner_id = ${partnerId} and certification_id = ${id}`,
  );
  return [...new Set(rows.flatMap(({ tenants }) => tenants))];
}

function viewSummary(run: CertificationRun): CertificationSummaryOutput {
  const { origin, pathname } = new URL(run.endpoint_url);
  return {
    id: run.id,
    state: run.state,
    verdict: run.verdict,
    service_version: run.service_version,
    endpoint_id: run.endpoint_id,
    endpoint_url: origin + pathname,
    tenant_query_url: run.tenant_query_url,
    product_variant: run.product_variant,
    tenants: run.tenants,
    anyway: run.anyway,
    created_at: run.created_at.toISOString(),
    last_step_at: run.last_step_at.toISOString(),
    finished_at: run.finished_at?.toISOString() ?? null,
  };
}

function viewResult(result: CaseRow, publicOrigin: string) {
  const { status, summary, cause, fix, docs, steps, ran_at, duration_ms, reported_by } = result;
  return {
    status,
    summary,
    cause,
    fix,
    docs_url: docs === null ? null : publicOrigin + docs,
    steps: steps as CertificationStep[],
    ran_at: ran_at.toISOString(),
    duration_in_ms: duration_ms,
    reported_by,
  };
}

function clipped(summary: string): string {
  return summary.slice(0, 2_000).toWellFormed().replaceAll('\0', '\ufffd');
}
