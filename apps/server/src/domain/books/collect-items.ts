import { bigint, nullable, row, type Sql, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import { recountTotals } from '../ledger/day-totals.ts';
import { sealTransfers } from '../ledger/seal.ts';
import { booksTimeZone } from './books-day.ts';
import { closedThrough } from './seal-books.ts';

type BooksCtx = Pick<Ctx, 'tx' | 'now' | 'service'>;

const sealBatch = 1_000;

/**
 * Seals what has been posted by now and copies its entries into the books, from each partner's last cut
 * on. A transfer is in exactly one seal, so none is copied twice or left out, whatever the order in which
 * concurrent transactions commit. The caller holds the lock of the books. Returns how many entries were copied.
 */
export async function collectItems(ctx: BooksCtx): Promise<number> {
  const { tx } = ctx;
  // Until this transaction ends, no lane seals, so the cut stays the newest seal. No command waits: it
  // takes a weaker lock on this row (for key share) at most.
  const partners = await tx.many(
    partnerRow,
    sql`
    /* many rows: a day of the books */
    select p.id, c.seal_number as cut
    from (select id from partner order by id for no key update) p
      left join book_cut c on c.partner_id = p.id`,
  );
  let copied = 0;
  for (const { id: partnerId, cut } of partners) {
    while ((await sealTransfers(ctx, { partnerId, limit: sealBatch })) === sealBatch);
    const { last } = await tx.one(
      lastRow,
      sql`
      select coalesce(max(number), 0) as last from ledger_seal where partner_id = ${partnerId}`,
    );
    await recountTotals(tx, { partnerId, lastSeal: last });
    if (cut === last) continue;
    copied += await copyItems(
      ctx,
      cut === null
        ? // Includes transfers of the chain that all partners shared before each had its own.
          sql`l.partner_id = ${partnerId} and not exists (select from ledger_unsealed u
            where u.partner_id = l.partner_id and u.transfer_id = l.id)`
        : sql`l.partner_id = ${partnerId} and l.id in (select unnest(transfer_ids) from ledger_seal
            where partner_id = ${partnerId} and number > ${cut})`,
    );
    await tx.run(sql`
      insert into book_cut (partner_id, seal_number) values (${partnerId}, ${last})
      on conflict (partner_id) do update set seal_number = excluded.seal_number`);
  }
  await refreshReferences(ctx);
  return copied;
}

const partnerRow = row('partner of the books', { id: text, cut: nullable(bigint) });
const lastRow = row('last seal of a ledger', { last: bigint });

/**
 * Copies the entries that a statement has to confirm. The reference is what banks and processors repeat:
 * the portal's id of its debit or refund, the processor's of its deposit, our key of a charge or refund,
 * and for a transfer of a processor what that processor declares.
 * @param which a condition on the transfers `l`
 */
export async function copyItems(
  { tx, service }: Pick<Ctx, 'tx' | 'service'>,
  which: Sql,
): Promise<number> {
  const ofProcessors = service.processorRecords
    .flatMap(({ transfers }) => Object.entries(transfers))
    .map(([kind, { reference }]) => sql`when c.kind = ${kind} then ${reference}`)
    .reduce((earlier, next) => sql`${earlier} ${next}`, sql``);
  const closed = (await closedThrough(tx))?.day ?? null;
  return tx.run(sql`
    /* many rows: a day of the books */
    /* all partners, or those that the condition names */
    -- A cluster cannot join the tables of the ledger with those of the books, which are on the coordinator.
    with c as materialized (
      select e.partner_id, e.transfer_id, e.account_id, a.kind as ledger_account, l.kind,
        e.amount_in_cents, t.day, t.source_id, l.created_at,
        case
          when d.id is not null then d.processor_deposit_id
          when a.kind = 'cash' and s.id is not null then coalesce(s.processor_transaction_id, s.id)
          when y.id is not null then coalesce(y.reference, y.id)
          when a.kind = 'cash' and f.id is not null then coalesce(f.processor_transaction_id, f.id)
          when v.id is not null then v.payment_id
        end as reference
      from ledger_transfer l
        join ledger_entry e on e.partner_id = l.partner_id and e.transfer_id = l.id
        join ledger_account a on a.partner_id = e.partner_id and a.id = e.account_id
          and a.kind in ('cash', 'processor_clearing')
        left join ledger_transfer r on r.partner_id = l.partner_id and r.id = l.reverses_id
        cross join lateral (select coalesce(r.source_id, l.source_id) as source_id,
          (l.occurred_at at time zone ${booksTimeZone})::date as day) t
        left join deposit d on d.partner_id = l.partner_id and d.id = t.source_id
        left join settlement s on s.partner_id = l.partner_id
          and s.id = split_part(t.source_id, '#', 1)
        left join payout y on y.partner_id = l.partner_id and y.id = t.source_id
        left join refund f on f.partner_id = l.partner_id and f.id = t.source_id
        left join processor_event v on v.partner_id = l.partner_id and v.id = t.source_id
      where ${which}
    )
    insert into book_item (partner_id, transfer_id, account_id, ledger_account, kind,
      amount_in_cents, day, reference, posted_at, after_close)
    select c.partner_id, c.transfer_id, c.account_id, c.ledger_account, c.kind, c.amount_in_cents,
      c.day,
      case when c.reference is not null then c.reference
        ${ofProcessors}
        -- One refund of ours may be several of the processor, one for each charge.
        else split_part(split_part(c.source_id, '#refused', 1), '.', 1)
      end,
      c.created_at, case when c.day <= ${closed}::date then ${closed}::date end
    from c
    on conflict (partner_id, transfer_id, account_id) do nothing`);
}

/** The references of open items that may be our own ids. */
const ofOpenCash = sql`
  /* all partners */
  select partner_id, reference from book_item where match_id is null and ledger_account = 'cash'`;

/**
 * Replaces our own ids by the references that were reported since. A portal may report the id of its debit after the
 * status, and a bank may do so with the id of a payout. Until then the reference is our own id.
 */
async function refreshReferences({ tx }: Pick<Ctx, 'tx'>): Promise<void> {
  await tx.run(sql`
    /* many rows: a day of the books */
    /* all partners */
    with named as materialized (
      select partner_id, id, processor_transaction_id as reference from settlement
      where processor_transaction_id is not null and (partner_id, id) in (${ofOpenCash}))
    update book_item i set reference = n.reference from named n
    where i.match_id is null and i.ledger_account = 'cash' and n.partner_id = i.partner_id
      and n.id = i.reference`);
  await tx.run(sql`
    /* many rows: all open items */
    /* all partners */
    with named as materialized (
      select partner_id, id, reference from payout
      where reference is not null and (partner_id, id) in (${ofOpenCash}))
    update book_item i set reference = n.reference from named n
    where i.match_id is null and i.ledger_account = 'cash' and n.partner_id = i.partner_id
      and n.id = i.reference and n.reference <> i.reference`);
}
