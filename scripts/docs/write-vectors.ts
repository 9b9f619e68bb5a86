import { readFileSync, writeFileSync } from 'node:fs';

// The test vectors that a service publishes at /docs/vectors. The signatures in the JSON files are
// fixed. `npm run vectors` derives the rest from them: messages that a receiver has to accept or refuse,
// and tables for languages that have no JSON parser in their standard library.

const folder = new URL('../../packages/contract/vectors/', import.meta.url);

interface WebhookVector {
  readonly name: string;
  readonly secret: string;
  readonly id: string;
  readonly timestamp: number;
  /** True if the body is UTF-8. Some libraries decode it first, and refuse bytes that are not. */
  readonly utf8: boolean;
  readonly body_base64: string;
  readonly signature: string;
}

interface WidgetVector {
  readonly name: string;
  readonly api_key: string;
  readonly pms: string;
  readonly external_id: string;
  readonly signature: string;
}

/** A message as it arrives, and whether a receiver whose clock shows `now` has to accept it. */
export interface Delivery {
  readonly name: string;
  readonly genuine: boolean;
  readonly utf8: boolean;
  readonly now: number;
  readonly secret: string;
  readonly id: string;
  /** The header's text, which need not be a number. */
  readonly timestamp: string;
  readonly signature: string;
  readonly body_base64: string;
}

interface WebhookVectors {
  readonly formula: string;
  readonly source: string;
  readonly vectors: readonly WebhookVector[];
  readonly deliveries?: readonly Delivery[];
}

interface WidgetVectors {
  readonly formula: string;
  readonly vectors: readonly WidgetVector[];
}

/** Returns the text of each file that `npm run vectors` writes, by its name. */
export function vectorFiles(): Record<string, string> {
  const webhooks = read<WebhookVectors>('webhooks.json');
  const widgets = read<WidgetVectors>('widget-signatures.json');
  const deliveries = webhooks.vectors.flatMap(deliveriesOf);
  return {
    'webhooks.json': asJson({ ...webhooks, deliveries }),
    'webhooks.tsv': asTable(deliveries),
    'widget-signatures.tsv': asTable(
      widgets.vectors.map(({ name, api_key, pms, external_id, signature }) => ({
        name,
        api_key_base64: Buffer.from(api_key).toString('base64'),
        pms,
        external_id_base64: Buffer.from(external_id).toString('base64'),
        signature,
      })),
    ),
  };
}

/** Returns the unchanged message, and then copies that are each changed in one way. */
function deliveriesOf(vector: WebhookVector): Delivery[] {
  const { name, timestamp, signature, body_base64, ...rest } = vector;
  const sent = { ...rest, now: timestamp, timestamp: String(timestamp), signature, body_base64 };
  const copy = (change: string, genuine: boolean, changed: Partial<Delivery> = {}): Delivery => ({
    name: change === '' ? name : `${name}: ${change}`,
    genuine,
    ...sent,
    ...changed,
  });
  const longer = Buffer.concat([Buffer.from(body_base64, 'base64'), Buffer.from(' ')]);
  return [
    copy('', true),
    copy('beside other signatures', true, { signature: `v1a,zzz v1,AAAA ${signature}` }),
    copy('300 seconds old', true, { now: timestamp + 300 }),
    copy('301 seconds old', false, { now: timestamp + 301 }),
    copy('301 seconds ahead', false, { now: timestamp - 301 }),
    copy('a byte more', false, { body_base64: longer.toString('base64') }),
    copy('another id', false, { id: `${rest.id}0` }),
    copy('another time', false, { timestamp: String(timestamp + 1) }),
    copy('a time in words', false, { timestamp: 'noon' }),
    copy('an empty signature', false, { signature: 'v1,' }),
    copy('a signature of another version', false, { signature: signature.replace('v1,', 'v2,') }),
    copy('another secret', false, { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSx' }),
  ];
}

function asJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

/** Returns tab-separated values with a header. No value contains a tab or a line break. */
function asTable(rows: readonly object[]): string {
  const lines = rows.map((row) => Object.values(row));
  return [Object.keys(rows[0] ?? {}), ...lines].map((line) => `${line.join('\t')}\n`).join('');
}

function read<T>(name: string): T {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
}

// `npm run vectors`
if (process.argv[1] === import.meta.filename) {
  for (const [name, text] of Object.entries(vectorFiles())) {
    writeFileSync(new URL(name, folder), text);
  }
}
