import {
  type QueueItem,
  type QueueName,
  type QueuesOutput,
  queueNames,
} from '@svc/contract/operator';
import {
  bigint,
  date,
  instant,
  json,
  nullable,
  type RowOf,
  row,
  type Sql,
  sql,
  text,
} from '@svc/db';
import { z } from 'zod';
import { byKey } from '../../cluster.ts';
import { formatMoney } from '../../words/formats.ts';
import type { MailType } from '../../words/mail-types.ts';
import type { FlagReason } from '../applications/flag-application.ts';
import { listReviews } from '../applications/review-queue.ts';
import { booksDay, booksToday } from '../books/books-day.ts';
import { listExceptions } from '../books/list-exceptions.ts';
import { mostListed } from '../listed.ts';
import { listNoticesToPrint } from '../mail/list-notices.ts';
import { mostMailAttempts } from '../mail/record.ts';
import { actionFor } from '../payments/return-codes.ts';
import { Refusal } from '../refusal.ts';
import { areTenants } from '../tenant-key.ts';
import { daysBetween, localDate } from '../tenants/calendar.ts';
import { tenantTime } from '../tenants/time.ts';
import type { Discloser } from './mask.ts';
import { asCsv } from './money-reports.ts';
import { readNotes, snoozedIds, takenIds } from './queue-notes.ts';
import { mailNames, returnCodeSuffix } from './timeline-titles.ts';
import { visiblePartners } from './visible-partners.ts';

/** An item as a queue describes it, without people's notes on it. */
type Item = Omit<QueueItem, 'queue' | 'owner' | 'snoozed_until'> & {
  /** The owner that the queue itself stores. */
  readonly owner?: string | null;
};

interface Scope extends Discloser {
  /** The names of the visible partners by their ids. */
  readonly partners: ReadonlyMap<string, string>;
  readonly partnerIds: readonly string[];
}

interface Count {
  readonly count: number;
  readonly oldest: Date | null;
}

/** Which items of a queue to read: the snoozed ones or all others, optionally of one owner. */
interface Selection {
  readonly snoozed: boolean;
  readonly snoozedIds: readonly string[];
  readonly owner: Owner | null;
}

interface Owner {
  readonly name: string;
  readonly itemIds: readonly string[];
}

interface Page extends Selection {
  readonly after: Position;
  readonly limit: number;
}

/** An item's position in a queue, which begins with the item that waits longest. */
interface Position {
  readonly since: Date;
  readonly id: string;
}

interface Queue {
  readonly title: string;
  count(scope: Scope, selection: Selection): Promise<Count>;
  list(scope: Scope, page: Page): Promise<readonly Item[]>;
}

/** Counts the items that wait in each queue, and finds the oldest. */
export async function readQueues(ctx: Discloser): Promise<QueuesOutput> {
  const scope = await scopeOf(ctx);
  const items: QueuesOutput['items'] = [];
  for (const name of queueNames) {
    const { title, count } = queues[name];
    const hidden = await snoozedIds(ctx, name);
    const all = { snoozedIds: hidden, owner: null };
    const waiting = await count(scope, { snoozed: false, ...all });
    const snoozed = hidden.length === 0 ? 0 : (await count(scope, { snoozed: true, ...all })).count;
    const oldest = waiting.oldest?.toISOString() ?? null;
    items.push({ name, title, count: waiting.count, snoozed, oldest_at: oldest });
  }
  return { items };
}

interface Filter {
  readonly name: QueueName;
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly snoozed: boolean;
  readonly owner?: 'me' | undefined;
}

/** Lists the items of a queue, longest wait first. */
export async function readQueue(
  ctx: Discloser,
  { name, cursor, limit, snoozed, owner }: Filter,
): Promise<{ items: QueueItem[]; next_cursor: string | null }> {
  const scope = await scopeOf(ctx);
  const found = await queues[name].list(scope, {
    snoozed,
    snoozedIds: await snoozedIds(ctx, name),
    owner:
      owner === undefined
        ? null
        : { name: ctx.actor.name, itemIds: await takenIds(ctx.tx, name, ctx.actor.name) },
    after: cursor === undefined ? queueStart : readCursor(cursor),
    limit: limit + 1,
  });
  const shown = found.slice(0, limit);
  const notes = await readNotes(
    ctx.tx,
    name,
    shown.map(({ id }) => id),
  );
  const last = shown.at(-1);
  return {
    items: shown.map(({ owner, ...item }) => {
      const note = notes.get(item.id);
      return {
        ...item,
        queue: name,
        owner: owner ?? note?.owner ?? null,
        snoozed_until: note?.snoozedUntil?.toISOString() ?? null,
      };
    }),
    next_cursor: last && found.length > limit ? writeCursor(last) : null,
  };
}

/** Formats the items of a queue as CSV for a spreadsheet, at most 5,000. */
export async function queueAsCsv(
  ctx: Discloser,
  filter: Pick<Filter, 'name' | 'snoozed' | 'owner'>,
): Promise<string> {
  const { items } = await readQueue(ctx, { ...filter, limit: mostInCsv });
  return asCsv(
    items.map((it) => ({
      waiting_since: it.waiting_since,
      partner: it.partner,
      external_id: it.external_id,
      subject_id: it.subject_id,
      problem: it.problem,
      advice: it.advice,
      amount_in_cents: it.amount_in_cents,
      due_on: it.due_on,
      owner: it.owner,
      snoozed_until: it.snoozed_until,
    })),
  );
}

const mostInCsv = 5_000;

async function scopeOf(ctx: Discloser): Promise<Scope> {
  const partners = await visiblePartners(ctx.tx, ctx.actor);
  return { ...ctx, partners, partnerIds: [...partners.keys()] };
}

const queueStart: Position = { since: new Date(0), id: '' };

function writeCursor({ waiting_since, id }: Item): string {
  return Buffer.from(`${waiting_since} ${id}`).toString('base64url');
}

function readCursor(cursor: string): Position {
  const [, since = '', id = ''] =
    /^(\d{4}-\d\d-\d\dT[\d:.]{12}Z) (\S{1,100})$/.exec(
      Buffer.from(cursor, 'base64url').toString('latin1'),
    ) ?? [];
  const at = new Date(since);
  if (!Number.isNaN(at.getTime())) return { since: at, id };
  const message = 'must be the next_cursor of the previous page, unchanged';
  throw new Refusal('validation_failed', {
    message: `cursor ${message}.`,
    param: 'cursor',
    errors: [{ param: 'cursor', code: 'invalid_value', message }],
  });
}

const itemRow = row('item of a queue', {
  id: text,
  partnerId: text,
  tenantId: nullable(text),
  subjectId: nullable(text),
  amountInCents: nullable(bigint),
  since: instant,
  dueOn: nullable(date),
  details: json(z.record(z.string(), z.unknown())),
});
type ItemRow = RowOf<typeof itemRow>;

/** The texts and commands of an item, which each queue words itself. */
type ItemText = Pick<Item, 'problem' | 'advice' | 'commands'> & Partial<Pick<Item, 'needs'>>;

interface Described extends ItemRow {
  readonly pms: string;
  readonly externalId: string | null;
  /** `YYYY-MM-DD` where the tenant lives, by the tenant's clock. */
  readonly today: string;
}

const countRow = row('count of a queue', { count: bigint, oldest: nullable(instant) });

/** The most items that are counted. A higher count would help no one who looks at a queue. */
const mostCounted = 1_000;

const tenantRow = row('tenant of a queue', {
  id: text,
  externalId: text,
  timeZone: text,
  clockOffsetMs: nullable(bigint),
});

/** Makes a queue whose items are rows of tables. `rows` is a query of `itemRow` for some partners. */
function fromTables(
  title: string,
  rows: (scope: Pick<Scope, 'partnerIds' | 'tx'>) => Sql,
  describe: (item: Described) => ItemText,
): Queue {
  const waiting = (scope: Scope, { snoozed, snoozedIds: ids, owner }: Selection) => sql`
    from (${rows(scope)}) x
    where (x.id = any(${ids}::text[])) = ${snoozed}::boolean
      ${owner === null ? sql`` : sql`and x.id = any(${owner.itemIds}::text[])`}`;
  return {
    title,
    // Counts in the order of the list, which an index has. Without an order, PostgreSQL estimates that a scan of the
    // table is cheaper for so few rows.
    count: (scope, selection) =>
      scope.tx.one(
        countRow,
        sql`
        /* many rows: all work of a queue */
        select count(*) as count, min(w.since) as oldest
        from (select x.since ${waiting(scope, selection)}
          order by x.since, x.id limit ${mostCounted}) w`,
      ),
    async list(scope, page) {
      const { after, limit } = page;
      const found = await scope.tx.many(
        itemRow,
        sql`
        /* many rows: all work of a queue */
        select x.* ${waiting(scope, page)} and (x.since, x.id) > (${after.since}, ${after.id})
        order by x.since, x.id limit ${limit}`,
      );
      const tenants = await readTenants(scope, found);
      return found.map((it) => {
        const pms = scope.partners.get(it.partnerId) ?? '';
        const tenant = tenants.get(it.tenantId ?? '');
        const externalId = tenant?.externalId ?? null;
        const today = localDate(
          tenantTime({ clockOffsetMs: tenant?.clockOffsetMs ?? null }, scope.now),
          tenant?.timeZone ?? 'UTC',
        );
        return {
          id: it.id,
          partner: pms,
          external_id: externalId,
          subject_id: it.subjectId,
          amount_in_cents: it.amountInCents,
          waiting_since: it.since.toISOString(),
          due_on: it.dueOn,
          needs: [],
          details: it.details,
          ...describe({ ...it, pms, externalId, today }),
        };
      });
    },
  };
}

async function readTenants(
  { tx }: Pick<Scope, 'tx'>,
  items: readonly ItemRow[],
): Promise<ReadonlyMap<string, RowOf<typeof tenantRow>>> {
  const tenants = items.flatMap(({ partnerId, tenantId }) =>
    tenantId === null ? [] : [{ partnerId, tenantId }],
  );
  if (tenants.length === 0) return new Map();
  const rows = await tx.many(
    tenantRow,
    sql`
    select t.id, t.external_id, t.time_zone, t.clock_offset_ms from tenant t
    where ${areTenants([sql`t.partner_id`, sql`t.id`], tenants)}`,
  );
  return new Map(rows.map((it) => [it.id, it]));
}

/** Makes a queue from a list that exists already, with a few hundred items at most. */
function fromList(title: string, read: (scope: Scope) => Promise<readonly Item[]>): Queue {
  const selectItems = async (scope: Scope, { snoozed, snoozedIds: ids, owner }: Selection) =>
    (await read(scope)).filter(
      (it) =>
        ids.includes(it.id) === snoozed &&
        (owner === null || it.owner === owner.name || owner.itemIds.includes(it.id)),
    );
  return {
    title,
    async count(scope, selection) {
      const items = await selectItems(scope, selection);
      const times = items.map((it) => Date.parse(it.waiting_since));
      return {
        count: items.length,
        oldest: times.length > 0 ? new Date(Math.min(...times)) : null,
      };
    },
    async list(scope, page) {
      const { since, id } = page.after;
      const sortKey = (it: Item) => [it.waiting_since, it.id].join(' ');
      return (await selectItems(scope, page))
        .filter((it) => sortKey(it) > [since.toISOString(), id].join(' '))
        .toSorted((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
        .slice(0, page.limit);
    },
  };
}

const approvalRow = row('request for a second person', {
  id: text,
  request: json(z.looseObject({ command: z.string() })),
  facts: json(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  requestedBy: text,
  reason: text,
  requestedAt: instant,
  expiresOn: date,
});

function textIn(commandInput: Readonly<Record<string, unknown>>, name: string): string | null {
  const value = commandInput[name];
  return typeof value === 'string' ? value : null;
}

/** The first id in a command's input, for example of a plan or payment. */
function subjectOf(commandInput: Readonly<Record<string, unknown>>): string | null {
  const name = Object.keys(commandInput).find(
    (key) => key.endsWith('_id') && key !== 'external_id',
  );
  return name === undefined ? null : textIn(commandInput, name);
}

/** Describes a command's input and the change it would make: `External id: t-1. Amount: $150.00. ` Omits files. */
function describeValues(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .filter(([, value]) => typeof value !== 'object' && String(value).length <= 200)
    .map(([key, value]) => {
      const name = key === 'pms' ? 'portal' : key.replace(/_in_cents$/, '').replaceAll('_', ' ');
      const shown = key.endsWith('_in_cents') ? formatMoney(Number(value)) : String(value);
      return `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${shown}. `;
    })
    .join('');
}

const queues: Readonly<Record<QueueName, Queue>> = {
  approvals: fromList('Requests for a second person', async ({ tx, now, actor, partners }) => {
    // A request may be about all partners.
    if (actor.partners !== null) return [];
    const rows = await tx.many(
      approvalRow,
      sql`
      /* many rows: all requests that wait */
      select id, request, facts, requested_by, reason, requested_at,
        (expires_at at time zone 'UTC')::date as expires_on
      from approval where state = 'open' and expires_at > ${now} limit ${mostListed}`,
    );
    return rows.map(({ id, request, facts, requestedBy, reason, requestedAt, expiresOn }) => {
      const { command, ...commandInput } = request;
      const input = { approval_id: id };
      const isOwn = requestedBy === actor.name;
      const pms = textIn(commandInput, 'pms');
      return {
        id,
        // A request to create a partner names a partner that has no page yet.
        partner: [...partners.values()].find((name) => name === pms) ?? null,
        external_id: textIn(commandInput, 'external_id'),
        subject_id: subjectOf(commandInput),
        problem: `${requestedBy} wants to run "${command}"${reason === '' ? '.' : `: ${reason.replace(/\.?$/, '.')}`}`,
        advice: `${describeValues({ ...commandInput, ...facts })}${isOwn ? 'Another person must approve or refuse it.' : 'Approve or refuse it.'}`,
        commands: isOwn
          ? []
          : [
              { name: 'approval-approve', input, runs: command.replaceAll(' ', '-') },
              { name: 'approval-refuse', input },
            ],
        amount_in_cents: Number(facts.amount_in_cents ?? 0) || null,
        waiting_since: requestedAt.toISOString(),
        due_on: expiresOn,
        needs: [],
        details: { command, ...facts },
      };
    });
  }),

  reviews: fromList('Applications in review', async (scope) => {
    const { items } = await listReviews(scope, scope.partnerIds);
    return items.map((it) => {
      const { application_id, taken_by: owner, flags, attempts, last_failure, facts } = it;
      const input = { application_id };
      return {
        id: application_id,
        partner: it.pms,
        external_id: it.external_id,
        subject_id: application_id,
        problem:
          flags.length > 0
            ? `The application has signs of fraud: ${flags.map((it) => signsOfFraud[it]).join('; ')}.`
            : 'The application waits for a decision by a person.',
        advice:
          owner === null
            ? 'Take it, check the facts, and approve or decline it.'
            : `${owner} has taken it and should approve or decline it.`,
        commands: [
          ...(owner === null ? [{ name: 'review-take', input }] : []),
          { name: 'review-decide', input },
          { name: 'review-release', input },
        ],
        amount_in_cents: it.amount_in_cents,
        waiting_since: it.submitted_at,
        due_on: it.notice_due_on,
        needs: [
          `a decision by ${dayText(it.notice_due_on)}, the last day to tell the applicant`,
          ...(it.military_covered === null
            ? ['an answer whether the Military Lending Act covers the tenant']
            : []),
          ...(last_failure === null
            ? []
            : [
                `a person, because the decision service failed ${attempts} times (${last_failure})`,
              ]),
        ],
        owner,
        details: { flags, facts, expires_at: it.expires_at, attempts, last_failure },
      };
    });
  }),

  unknown_payments: fromTables(
    'Payments with an unknown outcome',
    ({ partnerIds }) => sql`
      select c.key as id, c.partner_id, c.tenant_id, c.payment_id as subject_id,
        c.amount_in_cents, c.created_at as since, null::date as due_on,
        jsonb_build_object('kind', c.kind, 'processor', c.processor, 'tries', c.checks,
          'next_check_at', c.check_at) as details
      from processor_call c
      where c.state = 'unknown' and c.partner_id = any(${partnerIds}::text[])`,
    ({ id, details }) => ({
      problem: `The processor has not said what became of this ${details.kind}. Svc asked ${times(Number(details.tries))}.`,
      advice: `Look up ${id} at the processor (${details.processor}). Svc keeps asking, and books the answer.`,
      commands: [],
    }),
  ),

  refused_refunds: fromTables(
    'Refunds that a bank refused',
    ({ partnerIds, tx }) => sql`
      select c.key as id, c.partner_id, c.tenant_id, c.payment_id as subject_id,
        c.amount_in_cents, c.created_at as since, null::date as due_on,
        jsonb_build_object('return_code', c.return_code) as details
      from processor_call c
      where c.kind = 'refund' and c.state = 'failed' and c.partner_id = any(${partnerIds}::text[])
        and not exists (select from processor_call d
          where d.partner_id = c.partner_id and d.payment_id = c.payment_id and d.kind = 'refund'
            and d.state <> 'failed' and d.created_at > c.created_at ${byKey(tx)})`,
    ({ subjectId, amountInCents, details }) => ({
      problem: `The bank refused a refund${returnCodeSuffix(details.return_code)}. We still owe the tenant the money.`,
      advice: 'Ask the tenant for another account, and refund the payment again.',
      commands: [
        {
          name: 'payment-refund',
          input: { payment_id: subjectId ?? '', amount_in_cents: amountInCents ?? 0 },
        },
      ],
    }),
  ),

  books: fromList('Exceptions of the books', async ({ tx, now, service, actor }) => {
    // A statement of a bank is about all partners.
    if (actor.partners !== null) return [];
    const isSandbox = service.simulator !== null;
    const today = await booksToday(tx, { today: booksDay(now), isSandbox });
    const { items } = await listExceptions(tx, { today });
    return items.map((it) => ({
      id: it.item,
      partner: it.pms,
      external_id: null,
      subject_id: it.item.split('/')[0] ?? null,
      problem: it.after_close ? `Came after its day was closed. ${it.why}` : it.why,
      advice:
        it.bank === null
          ? 'Find the line of a statement that shows it, or write it off.'
          : 'Match it with an entry of the ledger, or post what it stands for.',
      commands: [
        { name: 'books-match', input: { items: it.item } },
        { name: 'books-adjust', input: { item: it.item } },
        { name: 'books-write-off', input: { item: it.item } },
      ],
      amount_in_cents: it.amount_in_cents,
      waiting_since: `${it.day}T00:00:00.000Z`,
      due_on: null,
      needs: [],
      owner: it.owner,
      details: {
        bank: it.bank,
        account: it.ledger_account,
        reference: it.reference,
        kind: it.kind,
      },
    }));
  }),

  settlements: fromTables(
    'Settlements to reopen',
    ({ partnerIds, tx }) => sql`
      select s.id, s.partner_id, s.tenant_id, s.plan_id as subject_id, s.amount_in_cents,
        s.updated_at as since, null::date as due_on,
        jsonb_build_object('status', s.status, 'failure_reason', s.failure_reason,
          'debit', s.processor_transaction_id) as details
      from settlement s
      where s.partner_id = any(${partnerIds}::text[]) and s.status in ('failed', 'returned')
        and not exists (select from plan p
          where p.partner_id = s.partner_id and p.id = s.plan_id and p.state = 'canceled'
            ${byKey(tx)})`,
    ({ id, pms, details }) => ({
      problem: `The debit by ${pms} ${details.status === 'failed' ? 'failed' : 'was returned'}${because(details.failure_reason)}. We still owe the amount.`,
      advice: `Fix the cause with ${pms}, and reopen the settlement. The portal then debits us again.`,
      commands: [{ name: 'settlement-reopen', input: { settlement_id: id } }],
    }),
  ),

  payouts: fromTables(
    'Payouts that failed or wait',
    ({ partnerIds, tx }) => sql`
      select o.id, o.partner_id, null as tenant_id, o.id as subject_id, o.amount_in_cents,
        coalesce(o.ended_at, o.created_at) as since, o.day as due_on,
        jsonb_build_object('status', o.status, 'failure_reason', o.failure_reason,
          'method', o.method, 'destination', o.destination) as details
      from payout o
      where o.partner_id = any(${partnerIds}::text[])
        and ((o.status in ('failed', 'returned') and exists (select from payout_line l
            where l.partner_id = o.partner_id and l.payout_id = o.id and l.released
              and not exists (select from payout_line k
                where k.partner_id = l.partner_id and k.source_id = l.source_id
                  and not k.released ${byKey(tx)}) ${byKey(tx)}))
          or (o.status in ('pending', 'sent') and o.rail is null and o.method = 'credit'))`,
    ({ id, pms, details }) =>
      details.status === 'pending'
        ? {
            problem: 'No one has given the payout to the bank yet.',
            advice: 'Send it, and give the bank its id as the reference.',
            commands: [{ name: 'payout-send', input: { payout_id: id } }],
          }
        : details.status === 'sent'
          ? {
              problem: 'The bank has not confirmed the payout yet.',
              advice: 'Confirm it when the statement shows it, or say that it failed.',
              commands: [
                { name: 'payout-confirm', input: { payout_id: id } },
                { name: 'payout-fail', input: { payout_id: id } },
              ],
            }
          : {
              problem: `The payout ${details.status === 'failed' ? 'failed' : 'was returned'}${because(details.failure_reason)}. We still owe ${pms} the amount.`,
              advice:
                'Correct the destination. The next payout carries its lines forward; create one now if it cannot wait.',
              commands: [{ name: 'payout-create', input: { pms } }],
            },
  ),

  endpoints: fromTables(
    'Endpoints of partners that fail',
    ({ partnerIds }) => sql`
      select e.id, e.owner as partner_id, null as tenant_id, e.id as subject_id,
        null::int8 as amount_in_cents, coalesce(e.failing_since, e.updated_at) as since,
        null::date as due_on,
        jsonb_build_object('url', e.url, 'state', e.state, 'disabled_reason', e.disabled_reason,
          'last_failure', f.hint, 'last_failed_at', f.at) as details
      from webhook_endpoints e
        left join webhook_last_failures f on f.owner = e.owner and f.endpoint_id = e.id
      where e.owner = any(${partnerIds}::text[]) and e.failing_since is not null
        and e.state <> 'deleted'`,
    ({ pms, details }) => ({
      problem: `${details.url} fails${typeof details.last_failure === 'string' ? `: ${details.last_failure}` : '.'}`,
      advice: `Tell ${pms}. What it missed can be replayed from its console once it works.`,
      commands: [],
    }),
  ),

  mails: fromTables(
    'Mails that bounce or were given up',
    ({ partnerIds, tx }) => sql`
      select m.id, m.partner_id, m.tenant_id, m.id as subject_id, null::int8 as amount_in_cents,
        m.created_at as since, null::date as due_on,
        jsonb_build_object('type', m.type, 'bounced_at', m.bounced_at, 'failure', m.failure)
          as details
      from mail m
      where m.partner_id = any(${partnerIds}::text[]) and m.due_at is null
        and (m.sent_at is null or m.bounced_at is not null)
        and (m.attempts >= ${mostMailAttempts} or (m.bounced_at is not null and exists (
          select from bounced_address b
          where b.partner_id = m.partner_id and b.tenant_id = m.tenant_id
            and b.email_hmac = (select t.email_hmac from tenant t
              where t.partner_id = b.partner_id and t.id = b.tenant_id) ${byKey(tx)})))`,
    ({ id, pms, details }) => {
      const bounced = details.bounced_at !== null;
      const mail = mailNames[details.type as MailType];
      return {
        problem: bounced
          ? `A mail came back (${mail})${because(details.failure)}`
          : `A mail could not be sent (${mail})${because(details.failure)}`,
        advice: bounced
          ? `Ask ${pms} for the tenant’s right address. Send the mail again once it has changed.`
          : 'Check the mail server, and send the mail again.',
        commands: [{ name: 'mail-resend', input: { mail_id: id } }],
      };
    },
  ),

  notices: fromList('Notices to print', async ({ tx, partnerIds }) => {
    const { items } = await listNoticesToPrint(tx, { partnerIds });
    return items.map((it) => ({
      id: it.mail_id,
      partner: it.pms,
      external_id: it.external_id,
      subject_id: it.mail_id,
      problem: `A notice cannot go by e-mail: ${mailNames[it.type]}. The law requires it (${it.rule}).`,
      advice: 'Print it, send it by post, and record that it was sent.',
      commands: [
        { name: 'mail-print', input: { mail_id: it.mail_id } },
        { name: 'mail-sent', input: { mail_id: it.mail_id } },
      ],
      amount_in_cents: null,
      waiting_since: it.created_at,
      due_on: it.deadline,
      needs: [],
      details: { type: it.type, rule: it.rule, failure: it.failure },
    }));
  }),

  // The subqueries read all installments of a plan and filter in the aggregate: with their state in a condition,
  // PostgreSQL may read the index of all failed payments for each plan.
  past_due: fromTables(
    'Tenants who are past due',
    ({ partnerIds }) => sql`
      select p.id, p.partner_id, p.tenant_id, p.id as subject_id,
        (select sum(i.amount_in_cents) filter (where i.state in ('failed', 'overdue'))
          from installment i
          where i.partner_id = p.partner_id and i.plan_id = p.id)::int8 as amount_in_cents,
        coalesce(p.past_due_since, p.rent_cycle_date)::timestamp at time zone 'UTC' as since, null::date as due_on,
        jsonb_build_object('autopay', p.autopay, 'past_due_since', (
          select min(i.due_date) filter (where i.state in ('failed', 'overdue'))
          from installment i
          where i.partner_id = p.partner_id and i.plan_id = p.id)) as details
      from plan p
      where p.partner_id = any(${partnerIds}::text[]) and p.state = 'past_due'`,
    ({ pms, externalId, details, today }) => ({
      problem:
        typeof details.past_due_since === 'string'
          ? `The tenant is ${lateness(details.past_due_since, today)}. The oldest open payment was due on ${dayText(details.past_due_since)}.`
          : 'The plan is past due. A payment is on its way.',
      advice: 'Contact the tenant. Pause collections while something is being cleared up.',
      commands: [{ name: 'collections-pause', input: { pms, tenant: externalId ?? '' } }],
    }),
  ),

  // The subquery compares the state: PostgreSQL expects a comparison with it to hold for one row in 200, and would
  // then read every failed payment to count the first thousand.
  failed_payments: fromTables(
    'Failed payments of tenants who are not past due',
    ({ partnerIds }) => sql`
      select i.id, i.partner_id,
        (select p.tenant_id from plan p where p.partner_id = i.partner_id and p.id = i.plan_id)
          as tenant_id,
        i.plan_id as subject_id, i.amount_in_cents,
        i.due_date::timestamp at time zone 'UTC' as since, null::date as due_on,
        jsonb_build_object('number', i.number, 'next_attempt_at', i.next_attempt_at,
          'return_code', (select y.return_code from payment y
            where y.partner_id = i.partner_id and y.installment_id = i.id
              and y.return_code is not null
            order by y.attempt desc limit 1)) as details
      from installment i
      where i.partner_id = any(${partnerIds}::text[]) and i.state in ('failed', 'overdue')
        and (select p.state = 'active' from plan p
          where p.partner_id = i.partner_id and p.id = i.plan_id)`,
    ({ since, details, today }) => ({
      problem: `Payment ${details.number} is ${lateness(since.toISOString().slice(0, 10), today)}. It ${typeof details.return_code === 'string' ? 'failed' : 'was not made'}${returnCodeSuffix(details.return_code)}.`,
      advice: adviceFor(details),
      commands: [],
    }),
  ),
};

const days = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' });

/** `2026-08-24` as `Aug 24, 2026`. */
function dayText(day: unknown): string {
  return days.format(new Date(String(day)));
}

function lateness(dueOn: string, today: string): string {
  const late = daysBetween(dueOn, today);
  if (late < 1) return `due on ${dayText(dueOn)}`;
  return late === 1 ? '1 day late' : `${late} days late`;
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

/** Returns `: R02 (account closed)`, or what else a portal, a bank or a mail server gave as the reason. */
function because(reason: unknown): string {
  return typeof reason === 'string' ? returnCodeSuffix(reason).replace(/^,/, ':') : '';
}

const signsOfFraud: Readonly<Record<FlagReason, string>> = {
  shared_account: 'a tenant of another household has the same bank account',
  first_payment_returned: 'the bank returned the first payment of an earlier plan',
  many_at_address: 'tenants of several households applied from this address',
};

const advices = {
  retry: 'Ask the tenant to pay it. It is not tried again.',
  other_method: 'Ask the tenant to add another account or card.',
  tenant_present: 'Ask the tenant to confirm the payment at the bank.',
  stop: 'The tenant did not permit the debit. Contact the tenant before anything is charged.',
  review: 'Find out why with the bank or the processor.',
} satisfies Record<ReturnType<typeof actionFor>, string>;

function adviceFor({ next_attempt_at: next, return_code: code }: ItemRow['details']): string {
  if (typeof next === 'string') return `Nothing to do yet: it is tried again on ${dayText(next)}.`;
  return typeof code === 'string' ? advices[actionFor(code)] : advices.retry;
}
