import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startStripeDouble } from '../../../test/support/stripe-double/start-stripe-double.ts';
import { sandboxCreditor } from '../../creditor.ts';
import type { Outcome } from '../../domain/payments/processor.ts';
import { createStripeClient } from './client.ts';
import { eventTypes } from './events.ts';
import { createStripeProcessor } from './stripe-processor.ts';

// Stripe's own stripe-mock checks each request against Stripe's API description. It has no state and
// answers with fixed examples, so only the requests are tested here. To run these tests:
//   go install github.com/stripe/stripe-mock@latest
//   STRIPE_MOCK_BIN=$(go env GOPATH)/bin/stripe-mock npx vitest run --project unit stripe-mock
const binary = process.env.STRIPE_MOCK_BIN;
const addresses = ['-http-addr', '127.0.0.1:0', '-https-addr', '127.0.0.1:0'];

describe.skipIf(!binary)('stripe-mock, at STRIPE_MOCK_BIN, takes every request', () => {
  let mock: ChildProcess;
  let apiBase: string;
  let logged: object[];
  beforeAll(async () => {
    mock = spawn(binary ?? '', addresses, {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    apiBase = await new Promise<string>((resolve, reject) => {
      let text = '';
      mock.once('error', reject);
      mock.once('exit', () => reject(new Error(`stripe-mock ended: ${text}`)));
      mock.stdout?.on('data', (chunk) => {
        text += String(chunk);
        const port = /HTTP at address: 127\.0\.0\.1:(\d+)/.exec(text)?.[1];
        if (port !== undefined) resolve(`http://127.0.0.1:${port}`);
      });
    });
    // It reads Stripe's whole description first, which took over 10 s on a loaded machine.
  }, 60_000);
  afterAll(async () => {
    mock.kill();
    await once(mock, 'exit');
  });

  function open(access = { secretKey: 'sk_test_123', apiBase }) {
    logged = [];
    return createStripeProcessor(
      { ...access, webhookSecrets: ['whsec_test'] },
      {
        clock: { now: () => new Date() },
        creditor: sandboxCreditor,
        log: { info() {}, warn() {}, error: (fields) => void logged.push(fields) },
      },
    );
  }

  const at = new Date();
  const payer = { partnerId: 'ptn_1', tenantId: 'ten_1', timeZone: 'America/Chicago', at };
  const returnUrl = 'https://svc.example/setup/return';
  const mandate = { ref: 'mandate_1', text: '', acceptedAt: null };
  const instrument = { type: 'reference', customer: 'cus_1', method: 'pm_1', mandate } as const;
  const of = { key: 'pay_1', ref: 'pi_1' };

  // stripe-mock's description is from 2026-08-26, when Checkout did not have this parameter's new name.
  test.each(['bank_account', 'card'] as const)('to set up a %s', async (type) => {
    const double = await startStripeDouble();
    try {
      const { secretKey, origin } = double;
      const request = {
        key: 'pse_1',
        payer,
        type,
        typed: null,
        bank: null,
        returnUrl,
        now: payer.at,
      };
      await open({ secretKey, apiBase: origin }).setup(request);
      expect(double.received).toHaveLength(2);
      for (const { path, body } of double.received) {
        const response = await fetch(`${apiBase}${path}`, {
          method: 'POST',
          headers: {
            authorization: 'Bearer sk_test_123',
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: body.replaceAll('allowed_payment_method_types', 'payment_method_types'),
        });
        expect({ path, status: response.status }).toEqual({ path, status: 200 });
      }
    } finally {
      await double.close();
    }
  });

  test.each([
    ['card', 'scheduled', null],
    ['card of a tenant who is present', 'tenant', null],
    ['bank account', 'first', mandate],
  ] as const)('to charge a %s', async (_, occasion, permission) => {
    const outcome = await open().charge({
      key: 'pay_1',
      payer,
      amountInCents: 500_00,
      methodId: 'pmt_1',
      instrument: { ...instrument, mandate: permission },
      occasion,
      returnUrl,
    });
    expectTaken(outcome);
  });

  test('to refund, cancel and find', async () => {
    const processor = open();
    expectTaken(await processor.refund({ key: 'rfd_1', payer, amountInCents: 1_00, of }));
    expectTaken(await processor.cancel(of, payer));
    for (const kind of ['charge', 'refund'] as const) {
      const call = { kind, key: 'x', sentAt: at, instrument, of };
      expectTaken(
        await processor.find({ ...call, ref: kind === 'charge' ? 'pi_1' : 're_1' }, payer),
      );
      expectTaken(await processor.find({ ...call, ref: null }, payer));
    }
  });

  test('to list events, and to remove a card', async () => {
    const stripe = createStripeClient({ secretKey: 'sk_test_123', apiBase });
    await stripe.events.list({ types: [...eventTypes], created: { gte: 1, lt: 2 }, limit: 100 });
    await stripe.paymentMethods.detach('pm_1');
  });

  /** Expects that no request was refused. The example in the response may be in any state. */
  function expectTaken(outcome: Outcome | null): void {
    expect(logged).toEqual([]);
    if (outcome?.state === 'unknown') expect(outcome.reason).not.toMatch(/answered|key/);
  }
});
