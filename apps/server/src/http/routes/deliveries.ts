import {
  type DeliveryAttemptOutput,
  deliveriesExportQuery,
  deliveriesQuery,
  deliveryAttemptOutput,
  field,
  listOf,
  searchedListOf,
} from '@svc/contract';
import {
  type DeliveryAttemptView,
  type DeliveryQuery,
  limits,
  listDeliveries,
} from '@svc/webhooks';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../../domain/access/actor.ts';
import { csvLine } from '../../domain/csv-line.ts';
import { type Route, route, TextStream } from '../route.ts';
import { listFilter } from './list-filter.ts';

const deliveries = {
  who: 'key_or_portal',
  keyScope: 'webhooks',
  views: ['webhooks'],
  tag: 'Webhook messages',
  kind: 'query',
  method: 'GET',
} as const;

const columns = [
  'started_at',
  'succeeded',
  'status',
  'error_class',
  'error',
  'hint',
  'duration_in_ms',
  'attempt',
  'max_attempts',
  'next_attempt_at',
  'trigger',
  'endpoint_id',
  'url',
  'message_id',
  'event_type',
  'external_id',
  'channels',
  'id',
] as const satisfies readonly (keyof DeliveryAttemptOutput)[];

const csvFile = field(
  z.string(),
  'A file (RFC 4180) with a header line.',
  csvLine([...columns, 'next_cursor']),
);

export const deliveryRoutes: readonly Route[] = [
  route({
    ...deliveries,
    path: '/webhooks/deliveries',
    summary: 'List deliveries, one row for each attempt',
    docs: {
      id: 'listDeliveries',
      description:
        'Returns the attempts to deliver your messages, each with its message’s tenant, type and channels. Read the headers and the body of an attempt with `listMessageAttempts`.',
      errors: ['endpoint_not_found'],
      node: 'svc.webhooks.deliveries({query})',
      query: { status_class: '5xx', limit: 20 },
    },
    query: deliveriesQuery,
    output: searchedListOf(deliveryAttemptOutput),
    verb: async (ctx, { query }) =>
      listDeliveries(ctx.tx, ctx.actor.partnerId, await deliveryFilter(ctx, query)),
  }),
  route({
    ...deliveries,
    path: '/webhooks/deliveries/export.csv',
    summary: 'Export deliveries as CSV',
    docs: {
      id: 'downloadDeliveries',
      description:
        'Returns up to 10,000 rows of `listDeliveries` as a file (RFC 4180) with a header line. If more rows follow, the last line has nothing but `next_cursor`: pass it as `cursor`. Errors are JSON as everywhere else.',
      errors: ['endpoint_not_found'],
      query: { status_class: '5xx', limit: 1000 },
    },
    csv: () => 'deliveries.csv',
    query: deliveriesExportQuery,
    output: csvFile,
    verb: async (ctx, { query }) =>
      new TextStream(csvOf(await readPages(ctx, await deliveryFilter(ctx, query)))),
  }),
  route({
    ...deliveries,
    path: '/webhooks/deliveries/export.json',
    summary: 'Export deliveries as JSON',
    docs: {
      id: 'exportDeliveries',
      description:
        'Returns up to 10,000 rows of `listDeliveries` in one response. Pass `next_cursor` as `cursor` for more.',
      errors: ['endpoint_not_found'],
      node: 'svc.webhooks.exportDeliveries({query})',
      query: { status_class: '5xx', limit: 1000 },
    },
    download: 'deliveries.json',
    query: deliveriesExportQuery,
    output: listOf(deliveryAttemptOutput),
    verb: async (ctx, { query }) =>
      new TextStream(jsonOf(await readPages(ctx, await deliveryFilter(ctx, query)))),
  }),
];

async function deliveryFilter(
  ctx: Ctx<PartnerActor>,
  { event_type, ...rest }: z.output<typeof deliveriesQuery>,
): Promise<DeliveryQuery> {
  return listFilter(ctx, { ...rest, event_types: event_type });
}

interface Page {
  readonly items: readonly DeliveryAttemptView[];
  readonly next_cursor: string | null;
}

// Pages of a rare status can be short or empty, so their number is limited, too.
const mostPages = 200;

/**
 * Reads up to `limit` rows page by page while they are sent, so that a file takes no more memory than a
 * page. The first page is read at once: a wrong cursor is refused before the response begins.
 */
async function readPages(
  { tx, actor }: Ctx<PartnerActor>,
  { limit, ...query }: DeliveryQuery,
): Promise<AsyncIterable<Page>> {
  const read = (cursor: string | undefined, rows: number) =>
    listDeliveries(tx, actor.partnerId, {
      ...query,
      ...(cursor === undefined ? {} : { cursor }),
      limit: Math.min(limits.pageSize, rows),
    });
  const first = await read(query.cursor, limit);
  return (async function* () {
    let page: Page = first;
    let left = limit - page.items.length;
    yield page;
    for (let pages = 1; pages < mostPages && left > 0; pages += 1) {
      if (page.next_cursor === null) return;
      page = await read(page.next_cursor, left);
      left -= page.items.length;
      yield page;
    }
  })();
}

/** If more rows follow, the last line has the cursor for them and nothing else. */
async function* csvOf(pages: AsyncIterable<Page>): AsyncIterable<string> {
  yield csvLine([...columns, 'next_cursor']);
  let next: string | null = null;
  for await (const { items, next_cursor } of pages) {
    next = next_cursor;
    if (items.length > 0) yield items.map(lineOf).join('');
  }
  if (next !== null) yield csvLine([...columns.map(() => null), next]);
}

function lineOf(item: DeliveryAttemptView): string {
  const row = { ...item, channels: item.channels?.join(' ') ?? null };
  return csvLine([...columns.map((column) => row[column]), null]);
}

async function* jsonOf(pages: AsyncIterable<Page>): AsyncIterable<string> {
  let next: string | null = null;
  let before = '{"error":null,"data":{"items":[';
  for await (const { items, next_cursor } of pages) {
    next = next_cursor;
    for (const item of items) {
      yield before + JSON.stringify(deliveryAttemptOutput.parse(item));
      before = ',';
    }
  }
  const start = before === ',' ? '' : before;
  yield `${start}],"next_cursor":${JSON.stringify(next)}}}`;
}
