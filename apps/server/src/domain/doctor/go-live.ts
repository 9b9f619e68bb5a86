import {
  type GoLiveItem,
  type GoLiveOutput,
  goLiveItems,
  manualGoLiveItems,
  observedGoLiveItems,
} from '@svc/contract';
import { boolean, instant, row, sql, text } from '@svc/db';
import { readDeliveryMilestones } from '@svc/webhooks';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../access/actor.ts';
import { Refusal } from '../refusal.ts';

type ObservedItem = (typeof observedGoLiveItems)[number];

const itemTexts: Record<GoLiveItem, { title: string; todo: string }> = {
  origins_set: {
    title: 'Allowed origins are set',
    todo: 'List the origins of your pages, or the schemes of your app, with PUT /v1/partner/allowed_origins.',
  },
  webhook_delivered: {
    title: 'A webhook was delivered',
    todo: 'Create an endpoint and take a tenant through a split. Test sends do not count.',
  },
  forgery_refused: {
    title: 'An endpoint refused a forged webhook',
    todo: 'Run the doctor: it sends one with a signature that does not verify.',
  },
  retry_recovered: {
    title: 'A webhook that failed with 5xx was delivered by a retry',
    todo: 'Answer 503 to one webhook, and 2xx when it comes again.',
  },
  key_rotated: {
    title: 'An API key was rotated',
    todo: 'Create a second key, switch over to it, and revoke the first one.',
  },
  settlement_verified: {
    title: 'A settlement was reported as verified',
    todo: 'Debit the settlement, then PATCH /v1/settlements/{id} with the status "verified".',
  },
  duplicates_handled: {
    title: 'A repeated webhook is handled once',
    todo: 'Run `svc certify`, which marks this. Or replay a message from the console, and look at your log.',
  },
  decline_rehearsed: {
    title: 'A decline and a returned payment were rehearsed',
    todo: 'Run `svc certify`, which marks this. Or take a tenant to both in the sandbox, and look at your pages and your ledger.',
  },
  production_secrets_separate: {
    title: 'Production has its own key and signing secrets',
    todo: 'Store them apart from those of the sandbox, where your build cannot read them.',
  },
  support_informed: {
    title: 'Support knows where to look',
    todo: 'Show your support team the console and the statuses of a settlement.',
  },
};

const markRow = row('go-live mark', { item: text, marked_at: instant });
const factsRow = row('go-live facts', { origins: boolean, rotated: boolean });
const settlementsRow = row('settlements of a partner', { verified: boolean });

/**
 * Reads the checklist. What the service has seen stays marked, because webhooks are deleted after a
 * while; a list of origins that was emptied again counts as not set.
 */
export async function readGoLive(ctx: Ctx<PartnerActor>): Promise<GoLiveOutput> {
  const { tx, actor, service } = ctx;
  const { partnerId } = actor;
  const isSeenHere = (item: GoLiveItem) =>
    service.deliversWebhooks || !deliveryItems.includes(item);
  // Two statements: on a cluster, keys and settlements are on different servers.
  const [facts, settlements] = await Promise.all([
    tx.one(
      factsRow,
      sql`
      select (p.allowed_origins <> '{}' or p.app_schemes <> '{}') as origins,
        exists (select from api_key o join api_key n
          on n.partner_id = o.partner_id and n.created_at > o.created_at and n.revoked_at is null
          where o.partner_id = p.id and o.revoked_at is not null) as rotated
      from partner p where p.id = ${partnerId}`,
    ),
    tx.one(
      settlementsRow,
      sql`
      select exists (select from settlement s
        where s.partner_id = ${partnerId} and s.status = 'verified') as verified`,
    ),
  ]);
  const { delivered, recovered } = await readDeliveryMilestones(tx, partnerId);
  const seen: [ObservedItem, boolean][] = [
    ['webhook_delivered', delivered],
    ['retry_recovered', recovered],
    ['key_rotated', facts.rotated],
    ['settlement_verified', settlements.verified],
    ['origins_set', facts.origins],
  ];
  for (const [item, isSeen] of seen) if (isSeen) await markObserved(ctx, item);
  const marks = await tx.many(
    markRow,
    sql`select item, marked_at from go_live_mark where partner_id = ${partnerId}`,
  );
  const markedAt = new Map(marks.map(({ item, marked_at }) => [item, marked_at]));
  if (!facts.origins) markedAt.delete('origins_set');
  return {
    items: goLiveItems.filter(isSeenHere).map((id) => ({
      id,
      ...itemTexts[id],
      how: isObserved(id) ? 'observed' : 'manual',
      done: markedAt.has(id),
      done_at: markedAt.get(id)?.toISOString() ?? null,
    })),
  };
}

/** Items that only the engine that delivers webhooks can observe. */
const deliveryItems: readonly GoLiveItem[] = [
  'webhook_delivered',
  'forgery_refused',
  'retry_recovered',
];

function isObserved(item: GoLiveItem): boolean {
  return (observedGoLiveItems as readonly string[]).includes(item);
}

/** Marks what the service has seen. Repeating it keeps the first time. */
export async function markObserved(
  { tx, actor, now }: Pick<Ctx<PartnerActor>, 'tx' | 'actor' | 'now'>,
  item: GoLiveItem,
): Promise<void> {
  await tx.run(sql`
    insert into go_live_mark (partner_id, item, marked_at)
    values (${actor.partnerId}, ${item}, ${now})
    on conflict (partner_id, item) do nothing`);
}

/**
 * Marks or unmarks an item that the service cannot see.
 * @throws Refusal `not_found` for any other item
 */
export async function markGoLive(
  ctx: Ctx<PartnerActor>,
  { item, done }: { item: string; done: boolean },
): Promise<GoLiveOutput> {
  if (!(manualGoLiveItems as readonly string[]).includes(item)) {
    throw new Refusal('not_found', {
      param: 'item',
      message: `${JSON.stringify(item)} is no item that you can mark. Those are ${manualGoLiveItems.join(', ')}; the service marks the others.`,
    });
  }
  const { tx, actor, now } = ctx;
  await tx.run(
    done
      ? sql`
    insert into go_live_mark (partner_id, item, marked_at)
    values (${actor.partnerId}, ${item}, ${now})
    on conflict (partner_id, item) do nothing`
      : sql`delete from go_live_mark where partner_id = ${actor.partnerId} and item = ${item}`,
  );
  return readGoLive(ctx);
}
