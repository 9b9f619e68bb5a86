import { bigint, type Database, raw, row, sql, text } from '@svc/db';
import { z } from 'zod';
import { post } from '../../../src/domain/ledger/post.ts';
import type { Outcome, Processor } from '../../../src/domain/payments/processor.ts';
import { WebhookNotAuthentic } from '../../../src/domain/payments/processor.ts';
import { defineCommand } from '../../../src/operator/command.ts';
import type { LaneDeps, ProcessorDefinition } from '../../../src/processors/define-processor.ts';
import { optionalSection, type SectionValue, setting } from '../../../src/settings.ts';
import { runUnitOfWork } from '../../../src/unit-of-work.ts';

declare module '../../../src/processor-kinds.ts' {
  interface ProcessorKinds {
    courier: {
      account: 'courier_clearing';
      transfer: 'courier_delivered';
      auditAction: never;
      id: never;
    };
  }
}

const courierSettings = optionalSection(
  {
    isUsed: ({ SVC_PROCESSOR }) => SVC_PROCESSOR === 'courier',
    because: 'SVC_PROCESSOR is courier.',
  },
  {
    depot: setting({
      name: 'SVC_COURIER_DEPOT',
      type: z.string(),
      required: true,
      description: 'where parcels start',
    }),
  },
);

type CourierSettings = SectionValue<typeof courierSettings>;

const parcelRow = row('parcel', {
  partner_id: text,
  number: text,
  tenant_id: text,
  amount_in_cents: bigint,
});

/** Carries every charge to our bank at once, as a parcel with cash. */
function createCourier(db: Database, { depot }: CourierSettings): Processor {
  const numberOf = (key: string) => `${depot}-${key}`;

  async function find(key: string | null): Promise<Outcome | null> {
    const number = numberOf(key ?? '');
    const found = await db.maybe(
      parcelRow,
      sql`
      select partner_id, number, tenant_id, amount_in_cents from courier_parcel
      where number = ${number}`,
    );
    return found ? { state: 'succeeded', ref: number } : null;
  }

  return {
    name: 'courier',
    accountEntry: 'fields',
    takesCards: false,
    deposits: 'daily',
    depositAccount: 'courier_clearing',
    async setup({ typed }) {
      if (typed?.type !== 'bank_account') return { kind: 'fields' };
      const last4 = typed.account_number.slice(-4);
      const method = { type: typed.type, brand: null, last4, expires: null, instrument: typed };
      return { kind: 'ready', method, ref: null };
    },
    async findSetup(ref) {
      throw new Error(`no setup is pending, so there is no ${ref}`);
    },
    async charge({ key, payer, amountInCents }) {
      await db.run(sql`
        insert into courier_parcel (partner_id, number, tenant_id, amount_in_cents)
        values (${payer.partnerId}, ${numberOf(key)}, ${payer.tenantId}, ${amountInCents})
        on conflict do nothing`);
      return { state: 'succeeded', ref: numberOf(key) };
    },
    refund: async () => ({ state: 'failed', ref: null, returnCode: 'no_way_back' }),
    cancel: async ({ key }) => (await find(key)) ?? { state: 'unknown', reason: 'no such parcel' },
    find: ({ key }) => find(key),
    parseWebhook() {
      throw new WebhookNotAuthentic('a courier sends no webhooks');
    },
    async *list() {},
  };
}

async function deliver({ db, clock, service }: LaneDeps): Promise<number> {
  return runUnitOfWork({ db, service }, clock.now(), async (uow) => {
    const parcels = await uow.tx.many(
      parcelRow,
      sql`
      update courier_parcel set delivered_at = ${uow.now} where delivered_at is null
      returning partner_id, number, tenant_id, amount_in_cents`,
    );
    await post(
      uow,
      parcels.map((it) => ({
        partnerId: it.partner_id,
        tenantId: null,
        kind: 'courier_delivered',
        sourceId: it.number,
        occurredAt: uow.now,
        entries: [
          { kind: 'cash', amountInCents: it.amount_in_cents },
          { kind: 'courier_clearing', amountInCents: -it.amount_in_cents },
        ],
      })),
    );
    return parcels.length;
  });
}

const courierList = defineCommand({
  name: 'courier list',
  summary: 'list parcels',
  effect: 'report',
  run: async ({ tx }) => ({
    items: await tx.many(
      parcelRow,
      sql`select partner_id, number, tenant_id, amount_in_cents from courier_parcel`,
    ),
  }),
  describe: ({ items }) => items.map(({ number }) => `${number}\n`).join(''),
});

export const courier = {
  name: 'courier',
  description: 'for parcels with cash',
  movesMoney: true,
  settings: courierSettings,
  async open(settings: CourierSettings, { db }) {
    await db.run(
      raw(`create table if not exists courier_parcel (partner_id text not null,
        number text primary key, tenant_id text not null, amount_in_cents bigint not null,
        delivered_at timestamptz)`),
    );
    return { processor: createCourier(db, settings), simulator: null, payoutRail: null };
  },
  check: async ({ depot }: CourierSettings) => `parcels start in ${depot}`,
  lanes: (_settings, deps) => [{ name: 'parcels', everyMs: 1_000, batch: () => deliver(deps) }],
  dueSince: { parcels: sql`select null::timestamptz` },
  gauges: {
    svc_courier_parcels: {
      help: 'Parcels.',
      label: 'state',
      counts: {
        delivered: sql`select count(*) from courier_parcel where delivered_at is not null`,
      },
    },
  },
  tables: { courier_parcel: { isOfTenant: true, erased: sql`delivered_at is not null` } },
  accounts: { courier_clearing: { number: 2060, name: 'Parcels', type: 'liability' } },
  transfers: { courier_delivered: { reference: sql`c.source_id` } },
  commands: [courierList],
  auditActions: [],
} as const satisfies ProcessorDefinition<CourierSettings>;
