import {
  type CertificationStep,
  type EventType,
  eventExamples,
  type ProductVariant,
  type Scenario,
  type ScenarioOutput,
  type SettlementOutput,
} from '@svc/contract';
import { nullable, type Queryable, row, sql, text } from '@svc/db';
import { type EndpointView, type Probed, type ProbeOptions, storeMessages } from '@svc/webhooks';
import type { Ctx, OutgoingMessage, RequestSteps, Service } from '../../context.ts';
import { newId } from '../../ids.ts';
import type { PartnerActor } from '../access/actor.ts';
import { buildMessage } from '../events/emit.ts';
import { recordPortalInfo } from '../intake/record-portal-info.ts';
import { findPayoutSetting } from '../partners/payout-setting.ts';
import { listRequests, readRequest } from '../requests/request-log.ts';
import { playScenario } from '../scenarios/play-scenario.ts';
import { inventReport } from '../scenarios/test-tenant.ts';
import { watchCommits } from '../scenarios/watch-commits.ts';
import { readSettlement } from '../settlements/read.ts';
import { resetSimulation } from '../simulation/reset.ts';
import { addMonth, localDate, monthOf } from '../tenants/calendar.ts';
import { exchangeStep } from './exchange-step.ts';
import { isMistake, refusalOf, unknownTenantAdvice, viewOf } from './explain-answer.ts';
import { CaseEnded, type Finding, fail, type Mistake, skipped } from './finding.ts';
import { refuseReports, takeReportsAgain } from './refuse-reports.ts';
import type { ReadView } from './tenant-view.ts';

/** The parts of the request that a case may use, in addition to its transactions. */
export interface CertificationCtx extends Ctx<PartnerActor> {
  /** Steps whose events are published as this service publishes them. */
  readonly stepsWith: (service: Service) => RequestSteps<PartnerActor>;
  readonly writeRequestLog: () => Promise<void>;
  readonly outward: {
    readonly probe: (
      endpointId: string,
      message: Pick<OutgoingMessage, 'id' | 'body'>,
      options: ProbeOptions,
    ) => Promise<Probed>;
    readonly fetchSigned: (
      endpointId: string,
      message: Pick<OutgoingMessage, 'id' | 'body'>,
      url: string,
    ) => Promise<Probed>;
  };
}

export interface StageOptions {
  readonly runId: string;
  readonly endpoint: EndpointView;
  readonly tenantQueryUrl: string | null;
  readonly productVariant: ProductVariant;
  /** The beginning of the external ids of the tenants that the case makes. */
  readonly tenantPrefix: string;
  /** The partner's own tenants, which the case uses instead; empty if it makes its own. */
  readonly ownTenants: readonly string[];
}

export type Message = Pick<OutgoingMessage, 'id' | 'type' | 'body'>;

/** A tenant of the run. `messages` are all webhooks about it that the endpoint subscribes to, in order. */
export interface PlayedTenant {
  readonly externalId: string;
  messages: readonly Message[];
  ours: ScenarioOutput;
}

/** An answer of the partner's tenant query. */
interface AskedView {
  readonly answer: Probed;
  readonly view: ReadView | Mistake;
}

interface DeliverOptions extends ProbeOptions {
  /** Added to the title of the step, such as `a second time`. */
  readonly as?: string;
  /** True if the case itself judges a timeout, which otherwise ends it. */
  readonly mayHang?: true;
}

const pollMs = 20;
/** How long a receiver may work after it has answered. */
const workMs = 5_000;
/** The limit without a tenant query, where only a call from the partner can show the work. */
const unseenWorkMs = 1_500;
/** The wait after the expected result, because a repeated debit may still follow. */
const secondLookMs = 300;
const mostMs = 50_000;
const mostSteps = 200;

/**
 * The actions that cases consist of. Every request is recorded as a step, with its response. Tenants are made by
 * the scenarios, and their webhooks are stored without deliveries, so the case sends them itself.
 */
export class Stage {
  readonly endpoint: EndpointView;
  readonly hasQuery: boolean;
  readonly steps: CertificationStep[] = [];
  /** The external ids of the tenants that were played. */
  readonly tenants: string[] = [];
  private readonly ctx: CertificationCtx;
  private readonly options: StageOptions;
  private readonly quiet: RequestSteps<PartnerActor>;
  private readonly published: OutgoingMessage[] = [];
  /** The plans and settlements that the partner's own tenants had before the case. */
  private readonly earlierIds = new Set<string>();
  private tenantCount = 0;
  private isLate = false;
  private readonly cancelLimit: () => void;

  constructor(ctx: CertificationCtx, options: StageOptions) {
    this.ctx = ctx;
    this.options = options;
    this.endpoint = options.endpoint;
    this.hasQuery = options.tenantQueryUrl !== null;
    this.quiet = this.quietSteps();
    this.cancelLimit = this.quiet.after(mostMs, () => {
      this.isLate = true;
    });
  }

  get now(): Date {
    return this.ctx.now;
  }

  close(): void {
    this.cancelLimit();
  }

  /** Returns whether the endpoint gets messages of this type. */
  subscribes(type: string): boolean {
    return subscribes(this.endpoint, type);
  }

  /** Builds a test message, of a type that the endpoint gets. */
  testMessage(fields: Partial<TestFields> = {}): Message {
    const { service, now, actor } = this.ctx;
    const type = fields.type ?? exampleTypes.find((it) => this.subscribes(it)) ?? 'tenant.updated';
    return buildMessage(service, now, {
      owner: actor.partnerId,
      pms: actor.pms,
      externalId: fields.externalId ?? null,
      type,
      marks: fields.marks ?? { test: true },
      dataText: JSON.stringify({ ...eventExamples[type as EventType], ...fields.data }),
    });
  }

  newId(prefix: 'evt' | 'stl'): string {
    return newId(prefix, this.ctx.now);
  }

  /** Returns the external id of the case's next tenant: a new one, or one of the partner's own. */
  nextTenantId(): string {
    const { tenantPrefix, ownTenants } = this.options;
    this.tenantCount += 1;
    if (ownTenants.length === 0) return `${tenantPrefix}-${this.tenantCount}`;
    const own = ownTenants[this.tenantCount - 1];
    if (own !== undefined) return own;
    throw new CaseEnded(
      skipped(
        `This case plays ${this.tenantCount} tenants. Pass that many as tenants, and run it again.`,
      ),
    );
  }

  /**
   * Takes the case's next tenant to this point of a plan's life. Sends nothing, except for one of the partner's own
   * tenants, whose plan has to end first.
   */
  async tenant(scenario: Scenario): Promise<PlayedTenant> {
    const externalId = this.nextTenantId();
    this.tenants.push(externalId);
    if (this.options.ownTenants.length > 0) await this.startOver(externalId);
    const input = inventCharges(this.ctx.now, this.options.productVariant);
    const from = this.published.length;
    await this.quiet.step((ctx) =>
      recordPortalInfo(ctx, { external_id: externalId, input, dry_run: false }),
    );
    const ours = await this.play(externalId, scenario);
    return { externalId, messages: this.publishedSince(from), ours };
  }

  /** Takes a tenant of the case further. Returns the new messages. */
  async advance(tenant: PlayedTenant, scenario: Scenario): Promise<readonly Message[]> {
    const from = this.published.length;
    tenant.ours = await this.play(tenant.externalId, scenario);
    return this.addMessages(tenant, from);
  }

  /** Runs a command that the partner's backend or the bank would cause. Returns the messages that it published. */
  async act(
    tenant: PlayedTenant,
    work: (ctx: Ctx<PartnerActor>) => Promise<unknown>,
  ): Promise<readonly Message[]> {
    const from = this.published.length;
    await this.quiet.step(work);
    return this.addMessages(tenant, from);
  }

  /** Sends one message, and returns the answer. A receiver that hangs ends the case, which has 50 seconds in all. */
  async deliver(message: Message, { as, mayHang, ...probe }: DeliverOptions = {}): Promise<Probed> {
    this.requireTime();
    const answer = await this.ctx.outward.probe(this.endpoint.id, message, probe);
    const title = as === undefined ? message.type : `${message.type}, ${as}`;
    this.push(exchangeStep({ title, message, answer }));
    if (answer.errorClass === 'timeout' && !mayHang) this.end(fail(refusalOf(answer, title)));
    return answer;
  }

  /** Sends one message that has to be accepted. */
  async accept(message: Message, options: DeliverOptions = {}): Promise<Probed> {
    const answer = await this.deliver(message, options);
    if (answer.errorClass === null) return answer;
    const as = options.as === undefined ? '' : `, ${options.as}`;
    const mistake = refusalOf(answer, `${message.type}${as}`);
    const isOfTenant = this.published.some(({ id }) => id === message.id);
    const mayBeUnknown = isOfTenant && answer.status !== null && answer.status >= 400;
    const fix = mayBeUnknown ? `${mistake.fix} ${unknownTenantAdvice}` : mistake.fix;
    throw new CaseEnded(fail({ ...mistake, fix }));
  }

  /** Sends messages that have to be accepted, one after another. */
  async acceptAll(messages: readonly Message[], options: DeliverOptions = {}): Promise<void> {
    for (const message of messages) await this.accept(message, options);
  }

  /** Ends the case with this finding. */
  end(finding: Finding): never {
    throw new CaseEnded(finding);
  }

  /** Returns whether the partner debits settlements itself, and the endpoint gets events about them. */
  async debits(): Promise<boolean> {
    if (!this.subscribes('settlement.created')) return false;
    return (await findPayoutSetting(this.ctx.tx, this.ctx.actor.partnerId)) === undefined;
  }

  read<T>(work: (ctx: Ctx<PartnerActor>) => Promise<T>): Promise<T> {
    return this.quiet.step(work);
  }

  /** Adds a step that sent nothing. */
  note(title: string, detail: string | null = null): void {
    this.push({ title, detail, request: null, response: null, duration_in_ms: null });
  }

  /** Asks the partner for its view of a tenant; null without a tenant query. */
  async view(externalId: string): Promise<ReadView | null> {
    return this.readView(externalId, await this.ask(externalId));
  }

  /**
   * Asks for the view until it is as expected, and then once more, because a second debit may follow. Returns the
   * last view after five seconds; null without a tenant query.
   */
  async viewOnce(
    externalId: string,
    isExpected: (view: ReadView) => boolean,
  ): Promise<ReadView | null> {
    let asked = await this.ask(externalId);
    for (let waited = 0, pause = pollMs; waited < workMs; waited += pause, pause *= 2) {
      if (asked === null || isMistake(asked.view)) break;
      const isLast = isExpected(asked.view);
      await this.pause(isLast ? secondLookMs : pause);
      asked = await this.ask(externalId);
      if (isLast) break;
    }
    return this.readView(externalId, asked);
  }

  /** Reads our present settlement of a tenant; null if the scenario made none. */
  settlement({ ours }: PlayedTenant): Promise<SettlementOutput | null> {
    const id = ours.settlement?.id;
    if (id === undefined) return Promise.resolve(null);
    return this.quiet.step((ctx) => readSettlement(ctx, { id }));
  }

  /**
   * Returns what the partner's backend did about a settlement, once it has done something: what its view says, and the
   * reports that it sent to us.
   */
  async debitOf(tenant: PlayedTenant): Promise<Debit> {
    const id = tenant.ours.settlement?.id ?? '';
    const isDebited = (view: ReadView) => (findSettlement(view, id)?.debited_in_cents ?? 0) !== 0;
    const view = await this.viewOnce(tenant.externalId, isDebited);
    // A debit is reported right away or not at all. Without a tenant query, the report is all that shows it.
    const limit = view && isDebited(view) ? unseenWorkMs : this.hasQuery ? 0 : unseenWorkMs;
    return {
      view: view ? findSettlement(view, id) : undefined,
      settlement: await this.reportedSettlement(tenant, limit),
      ...(await this.reports(id)),
    };
  }

  /** Waits up to `limitMs` until the partner has reported a settlement, and returns our settlement. */
  async reportedSettlement(
    tenant: PlayedTenant,
    limitMs: number,
  ): Promise<SettlementOutput | null> {
    let settlement = await this.settlement(tenant);
    for (let waited = 0; waited < limitMs && settlement?.status === 'unsettled'; waited += 100) {
      await this.pause(100);
      settlement = await this.settlement(tenant);
    }
    return settlement;
  }

  /** Does the work while our API answers 503 to the partner's reports of a settlement. */
  async whileReportsAreRefused<T>(settlementId: string, work: () => Promise<T>): Promise<T> {
    const { runId } = this.options;
    const until = new Date(this.now.getTime() + mostMs);
    await this.quiet.step((ctx) => refuseReports(ctx, { runId, settlementId, until }));
    try {
      return await work();
    } finally {
      await this.quiet.step((ctx) => takeReportsAgain(ctx, { runId }));
    }
  }

  /** Returns the partner's calls about a settlement since the request began. */
  async callsAbout(settlementId: string): Promise<readonly string[]> {
    const calls = await this.loggedCalls(settlementId);
    return calls.map(({ method, path, status }) => `${method} ${path} (${status})`);
  }

  /** Waits, in real time. */
  async pause(ms: number): Promise<void> {
    for (let waited = 0; waited < ms; waited += pollMs) {
      await new Promise<void>((resume) => this.quiet.after(pollMs, resume));
    }
  }

  private async reports(settlementId: string): Promise<Pick<Debit, 'debitIds' | 'calls'>> {
    const calls = await this.loggedCalls(settlementId);
    const ids = await Promise.all(
      calls.map(async ({ request_id: id }) => {
        const { request_body } = await readRequest(this.ctx, { id });
        const debit = (request_body as { processor_transaction_id?: unknown } | null)
          ?.processor_transaction_id;
        return typeof debit === 'string' ? [debit] : [];
      }),
    );
    return { debitIds: [...new Set(ids.flat())], calls: calls.length };
  }

  private async loggedCalls(settlementId: string) {
    await this.ctx.writeRequestLog();
    const { items } = await listRequests(this.ctx, {
      path: `/settlements/${settlementId}`,
      since: this.ctx.now.toISOString(),
      limit: 20,
    });
    return items.filter(({ method }) => method !== 'GET');
  }

  private async ask(externalId: string): Promise<AskedView | null> {
    const { tenantQueryUrl: url } = this.options;
    if (url === null) return null;
    this.requireTime();
    const queryUrl = new URL(url);
    queryUrl.searchParams.set('tenant', externalId);
    const message = { id: this.newId('evt'), body: externalId };
    const answer = await this.ctx.outward.fetchSigned(this.endpoint.id, message, queryUrl.href);
    return { answer, view: this.withoutEarlier(viewOf(answer)) };
  }

  private readView(externalId: string, asked: AskedView | null): ReadView | null {
    if (asked === null) return null;
    const { answer, view } = asked;
    this.push(exchangeStep({ title: `Your view of ${externalId}`, method: 'GET', answer }));
    return isMistake(view) ? this.end(fail(view)) : view;
  }

  /** Removes the plans and settlements that the tenant had before the case from the view. */
  private withoutEarlier(view: ReadView | Mistake): ReadView | Mistake {
    if (isMistake(view) || this.earlierIds.size === 0) return view;
    const { plan, settlements } = view;
    return {
      ...view,
      plan: plan && this.earlierIds.has(plan.id) ? null : plan,
      settlements: settlements?.filter(({ id }) => !this.earlierIds.has(id)),
    };
  }

  /** Ends the plan of one of the partner's own tenants, and sends the webhooks about it. */
  private async startOver(external_id: string): Promise<void> {
    const from = this.published.length;
    await this.quiet.step((ctx) => resetSimulation(ctx, { external_id }));
    const { tx, actor } = this.ctx;
    const key = { partnerId: actor.partnerId, externalId: external_id };
    for (const id of await readIdsOfTenant(tx, key)) this.earlierIds.add(id);
    await this.acceptAll(this.publishedSince(from), { as: 'because the tenant starts over' });
  }

  private async play(externalId: string, scenario: Scenario): Promise<ScenarioOutput> {
    this.requireTime();
    return playScenario(this.quiet, {
      external_id: externalId,
      // Not with an account of the tenant's own that fails.
      input: { scenario, payment_method: 'bank_account' },
      caller: { ip: '', userAgent: 'svc-certify' },
    });
  }

  private publishedSince(from: number): readonly Message[] {
    return this.published.slice(from).filter(({ type }) => this.subscribes(type));
  }

  private addMessages(tenant: PlayedTenant, from: number): readonly Message[] {
    const added = this.publishedSince(from);
    tenant.messages = [...tenant.messages, ...added];
    return added;
  }

  /** Makes steps whose messages are stored without deliveries, and kept for the case. */
  private quietSteps(): RequestSteps<PartnerActor> {
    const steps = this.ctx.stepsWith({
      ...this.ctx.service,
      publish: storeMessages,
      wake: () => {},
    });
    return watchCommits(steps, (messages) => this.published.push(...messages));
  }

  private requireTime(): void {
    this.quiet.requireCaller();
    if (!this.isLate) return;
    throw new CaseEnded(
      fail({
        summary: `The case took longer than ${mostMs / 1_000} seconds, so the rest of it was not sent.`,
        cause: 'Your receiver or your tenant query answers slowly.',
        fix: 'Answer at once, and do the work afterwards.',
      }),
    );
  }

  private push(step: CertificationStep): void {
    if (this.steps.length < mostSteps) this.steps.push(step);
  }
}

const idsRow = row('plan and its settlement', { id: text, settlement_id: nullable(text) });

/** Reads the ids of a tenant's plans and settlements. */
async function readIdsOfTenant(
  tx: Queryable,
  { partnerId, externalId }: { readonly partnerId: string; readonly externalId: string },
): Promise<string[]> {
  const rows = await tx.many(
    idsRow,
    sql`
    select p.id, s.id as settlement_id
    from tenant t
      join plan p on p.partner_id = t.partner_id and p.tenant_id = t.id
      left join settlement s on s.partner_id = p.partner_id and s.plan_id = p.id
    where t.partner_id = ${partnerId} and t.external_id = ${externalId}`,
  );
  return rows.flatMap(({ id, settlement_id }) => (settlement_id ? [id, settlement_id] : [id]));
}

interface TestFields {
  readonly type: string;
  readonly externalId: string;
  readonly marks: { test?: true; custom?: true };
  readonly data: Record<string, unknown>;
}

/** The traces that a partner's work on a settlement left. */
export interface Debit {
  /** The settlement in the partner's view. Undefined if the view says nothing about it. */
  readonly view: NonNullable<ReadView['settlements']>[number] | undefined;
  /** Our settlement as it is now. */
  readonly settlement: SettlementOutput | null;
  /** The different ids of debits that it reported, also in calls that were refused. */
  readonly debitIds: readonly string[];
  readonly calls: number;
}

export function findSettlement(view: ReadView, id: string) {
  return view.settlements?.find((it) => it.id === id);
}

export function subscribes({ event_types }: Pick<EndpointView, 'event_types'>, type: string) {
  const group = `${type.split('.', 1)[0]}.*`;
  return (
    event_types === null || event_types.some((it) => it === type || it === group || it === '*')
  );
}

/** The types of test messages in order of preference: first those on which no receiver acts. */
const exampleTypes: readonly EventType[] = [
  'tenant.updated',
  ...(Object.keys(eventExamples) as EventType[]),
];

/** Amounts that are no multiple of a cent as floating-point dollars, alone and added up. */
const oddCents = [114_809, 7_501];

function inventCharges(now: Date, variant: ProductVariant) {
  const dueDate = addMonth(`${monthOf(localDate(now, 'UTC'))}-01`);
  const report = inventReport(dueDate, variant);
  const charges = report.charges.map((charge, index) => ({
    ...charge,
    amount_in_cents: oddCents[index] ?? charge.amount_in_cents,
  }));
  // If left out, they would stay as the partner reported them for its own tenant.
  const lease = report.lease && { ...report.lease, ends_on: null, late_fee_from: null };
  return { ...report, charges, lease };
}

/** Ends the case if there is no tenant query, without which it can show nothing. */
export function requireQuery({ hasQuery }: Stage): void {
  if (hasQuery) return;
  throw new CaseEnded(
    skipped('Only a tenant query shows this. Pass tenant_query_url, as the docs describe.'),
  );
}
