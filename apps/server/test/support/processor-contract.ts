import { expect, test } from 'vitest';
import {
  type CallName,
  type ChargeRequest,
  type EarlierCall,
  type Outcome,
  type Processor,
  type ProcessorEvent,
  type WebhookHeaders,
  WebhookNotAuthentic,
} from '../../src/domain/payments/processor.ts';

/** An account or card at the processor, ready to be charged. */
export type Chargeable = Pick<ChargeRequest, 'payer' | 'methodId' | 'instrument'>;

interface SentWebhook {
  readonly raw: Buffer;
  readonly headers: WebhookHeaders;
}

/** The bank behind an adapter, which the contract tests control. */
export interface ProcessorHarness {
  readonly processor: Processor;
  /**
   * Opens an account or card by the outcome of its first payment: `slow` is `processing` until `settle`. With some
   * processors, every charge is.
   */
  open(kind: 'succeeds' | 'fails' | 'slow'): Promise<Chargeable>;
  /** The bank pays or refuses a charge that is `processing`. */
  settle(charge: CallName): Promise<void>;
  /** The bank returns a charge that succeeded. */
  returnCharge(charge: CallName): Promise<void>;
  /** The webhooks that the processor has sent since the last call. */
  webhooks(): Promise<readonly SentWebhook[]>;
  /** For a processor that sends no webhooks: the events that a job has read from it since the last call. */
  events?(): Promise<readonly ProcessorEvent[]>;
  /** Wall time. */
  now(): Date;
}

const amountInCents = 12_345;
// Adapters may wait this long before they say that a call was never received.
const settledMs = 10 * 60_000;
let keys = 0;

/**
 * Tests that every adapter passes. Call it inside `describe`; `open` returns the harness, which the
 * caller closes.
 */
export function testProcessor(open: () => ProcessorHarness): void {
  const newKey = () => {
    keys += 1;
    return `pay_contract_${process.pid}_${keys}`;
  };

  async function charge(kind: Parameters<ProcessorHarness['open']>[0], key = newKey()) {
    const { processor, ...harness } = open();
    const from = await harness.open(kind);
    const returnUrl = 'https://svc.example/setup/return';
    const request: ChargeRequest = { ...from, key, amountInCents, occasion: 'first', returnUrl };
    let outcome = await processor.charge(request);
    const name = { key, ref: refOf(outcome) };
    if (kind !== 'slow' && outcome.state === 'processing') {
      await harness.settle(name);
      const found = await processor.find(chargeOf(name, request), request.payer);
      outcome = found ?? { state: 'unknown', reason: 'not found' };
    }
    return { processor, harness, request, outcome, name };
  }

  function chargeOf(name: CallName, { instrument }: ChargeRequest): EarlierCall {
    const sentAt = new Date(open().now().getTime() - settledMs);
    return { kind: 'charge', ...name, sentAt, instrument, of: null };
  }

  async function received(): Promise<ProcessorEvent[]> {
    const { processor, webhooks, events, now } = open();
    if (events) return [...(await events())];
    const sent = await webhooks();
    return sent.flatMap(({ raw, headers }) => processor.parseWebhook(raw, headers, now()));
  }

  test('a charge that succeeds is found by its key', async () => {
    const { processor, request, outcome, name } = await charge('succeeds');
    expect(outcome).toMatchObject({ state: 'succeeded', ref: expect.any(String) });
    const call = chargeOf(name, request);
    expect(await processor.find(call, request.payer)).toEqual(outcome);
    expect(await processor.find({ ...call, ref: null }, request.payer)).toEqual(outcome);
  });

  test('a charge that the bank refuses has a code', async () => {
    const { processor, request, outcome, name } = await charge('fails');
    expect(outcome).toMatchObject({ state: 'failed', returnCode: expect.stringMatching(/./) });
    const found = await processor.find(chargeOf(name, request), request.payer);
    expect(found).toMatchObject({ state: 'failed' });
  });

  test('a repeated charge with the same key has the first outcome', async () => {
    const { processor, request, outcome } = await charge('succeeds');
    expect(await processor.charge(request)).toEqual(outcome);
    const atOnce = { ...request, key: newKey() };
    const outcomes = await Promise.all([processor.charge(atOnce), processor.charge(atOnce)]);
    expect(new Set(outcomes.map(refOf)).size).toBe(1);
  });

  test('a call that was never received is not found', async () => {
    const { processor, request, name: of } = await charge('succeeds');
    const never = chargeOf({ key: newKey(), ref: null }, request);
    expect(await processor.find(never, request.payer)).toBeNull();
    const refund = { ...never, kind: 'refund', key: newKey(), of } as const;
    expect(await processor.find(refund, request.payer)).toBeNull();
  });

  test('a slow charge is processing, and a webhook reports its end', async () => {
    const { processor, harness, request, outcome, name } = await charge('slow');
    expect(outcome).toMatchObject({ state: 'processing' });
    await received();
    await harness.settle(name);
    const reported = (await received()).flatMap((it) =>
      it.kind === 'outcome' && isAbout(it.call, name) ? [it.outcome.state] : [],
    );
    expect(reported).toContain('succeeded');
    const found = await processor.find(chargeOf(name, request), request.payer);
    expect(found).toMatchObject({ state: 'succeeded' });
  });

  test('a slow charge that is canceled fails, unless it can no longer be stopped', async () => {
    const { processor, request, name } = await charge('slow');
    const canceled = await processor.cancel(name, request.payer);
    expect(['failed', 'processing', 'succeeded']).toContain(canceled.state);
    if (canceled.state === 'failed') expect(canceled.returnCode).toBe('canceled');
    expect(await processor.find(chargeOf(name, request), request.payer)).toEqual(canceled);
  });

  test('a refund gives back up to the amount of its charge, once for each key', async () => {
    const { processor, request, name } = await charge('succeeds');
    const { payer } = request;
    const refund = { key: newKey(), payer, amountInCents: 10_000, of: name };
    const outcome = await processor.refund(refund);
    expect(['succeeded', 'processing']).toContain(outcome.state);
    expect(refOf(await processor.refund(refund))).toBe(refOf(outcome));
    const earlier = chargeOf({ key: refund.key, ref: null }, request);
    const found = await processor.find({ ...earlier, kind: 'refund', of: name }, payer);
    expect(found && refOf(found)).toBe(refOf(outcome));
    const tooMuch = await processor.refund({ ...refund, key: newKey() });
    expect(tooMuch).toMatchObject({ state: 'failed' });
  });

  test('a webhook reports a payment that the bank takes back', async () => {
    const { harness, name } = await charge('succeeds');
    await received();
    await harness.returnCharge(name);
    // Time may have passed for the charges of other tests, too, so their events are left out.
    const about = (await received()).filter((it) => 'charge' in it && isAbout(it.charge, name));
    // Each report of a dispute has the total that the bank has taken so far.
    const codes = about.flatMap((it) => {
      if (it.kind === 'disputed') return it.dispute.withdrawnInCents ? [it.dispute.returnCode] : [];
      return it.kind === 'returned' ? [it.returnCode] : [];
    });
    expect([...new Set(codes)]).toEqual([expect.stringMatching(/./)]);
  });

  test('events that webhooks reported are listed with the same ids', async () => {
    const { processor, harness, name } = await charge('slow');
    const since = new Date(harness.now().getTime() - 60_000);
    await received();
    await harness.settle(name);
    const reported = (await received()).map(({ id }) => id);
    const listed: string[] = [];
    for await (const event of processor.list(since)) listed.push(event.id);
    expect(listed).toEqual(expect.arrayContaining(reported));
  });

  test('a webhook that was changed, or signed at another time, is refused', async () => {
    const { processor, harness, name } = await charge('slow');
    await received();
    await harness.settle(name);
    if (harness.events) {
      const parse = () => processor.parseWebhook(Buffer.from('{}'), {}, harness.now());
      expect(parse).toThrow(WebhookNotAuthentic);
      return;
    }
    const [sent] = await harness.webhooks();
    if (!sent) throw new Error('no webhook was sent');
    const { raw, headers } = sent;
    const now = harness.now();
    const parse = (body: Buffer, at: Date) => () => processor.parseWebhook(body, headers, at);
    expect(parse(raw, now)).not.toThrow();
    expect(parse(Buffer.concat([raw, Buffer.from(' ')]), now)).toThrow(WebhookNotAuthentic);
    const late = new Date(now.getTime() + 301_000);
    expect(parse(raw, late)).toThrow(WebhookNotAuthentic);
    const early = new Date(now.getTime() - 301_000);
    expect(parse(raw, early)).toThrow(WebhookNotAuthentic);
    expect(() => processor.parseWebhook(raw, {}, now)).toThrow(WebhookNotAuthentic);
  });
}

function refOf(outcome: Outcome): string | null {
  return outcome.state === 'unknown' ? null : outcome.ref;
}

function isAbout(call: CallName, name: CallName): boolean {
  return call.key === name.key || (call.ref !== null && call.ref === name.ref);
}
