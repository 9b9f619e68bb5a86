import { createHmac } from 'node:crypto';
import type { CertificationCaseOutput, ServiceCaseName } from '@svc/contract';
import { type WebhookEvent, WebhookVerificationError } from '@svc/node';
import { afterAll, describe, expect, test } from 'vitest';
import { useService } from '../harness.ts';
import { type Backend, book, bookPlan, correctBackend, debit, openPortal } from './portal.ts';

const svc = await useService();

/** Opens a backend with this mistake, and runs the handshake and the case. */
async function certify(
  mistake: Partial<Backend>,
  name: ServiceCaseName,
  { withQuery = true } = {},
): Promise<CertificationCaseOutput> {
  const { key } = await svc.newPartner();
  const portal = await openPortal(svc, key, mistake);
  afterAll(() => portal.server.close());
  const body = withQuery ? { tenant_query_url: portal.queryUrl } : {};
  const { data: run } = await svc.call('POST', '/certifications', { key, body });
  const runOne = (one: ServiceCaseName) =>
    svc.call('POST', `/certifications/${run.id}/cases/${one}`, { key });
  const handshake = (await runOne('handshake')).data as CertificationCaseOutput;
  return name === 'handshake' ? handshake : (await runOne(name)).data;
}

/** A signature check without our library, over some text. */
function check(text: string, headers: Record<string, string>, secret: string): void {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  if (headers['webhook-signature'] === expected) return;
  throw new WebhookVerificationError('mismatch', 'The signature is wrong.');
}

const handleAll: Backend['handle'] = async (event, portal) => {
  if (!event.test && !event.custom) await book(event, portal);
  return 204;
};

interface Fault {
  readonly name: string;
  readonly mistake: Partial<Backend>;
  readonly found: ServiceCaseName;
  readonly status?: 'warn' | 'fail';
  /** Part of the cause. */
  readonly cause: string;
}

const faults: readonly Fault[] = [
  {
    name: 'accepts anything',
    mistake: { verify: ({ raw }) => JSON.parse(raw.toString()) as WebhookEvent },
    found: 'handshake',
    cause: 'does not check the signature',
  },
  {
    name: 'verifies the parsed body',
    mistake: {
      verify({ raw, headers }, secret) {
        const event = JSON.parse(raw.toString()) as WebhookEvent;
        check(JSON.stringify(event), headers, secret);
        return event;
      },
    },
    found: 'raw_body',
    cause: 'verifies the parsed body, not the raw bytes',
  },
  {
    name: 'ignores the timestamp and further signatures',
    mistake: {
      verify({ raw, headers }, secret) {
        check(raw.toString(), headers, secret);
        return JSON.parse(raw.toString()) as WebhookEvent;
      },
    },
    found: 'old_timestamp',
    cause: 'does not compare webhook-timestamp with its clock',
  },
  {
    name: 'knows one signature only',
    mistake: {
      verify({ raw, headers }, secret) {
        check(raw.toString(), headers, secret);
        return JSON.parse(raw.toString()) as WebhookEvent;
      },
    },
    found: 'rotated_secret',
    cause: 'compares only the first signature',
  },
  {
    name: 'answers 404 to types that it does not know',
    mistake: {
      async handle(event, portal) {
        const known = /^(tenant|application|plan|settlement|installment)\.(?!renewed)/;
        return known.test(event.type) ? correctBackend.handle(event, portal) : 404;
      },
    },
    found: 'unknown_type',
    cause: 'refuses types that it has no handler for',
  },
  {
    name: 'debits tests',
    mistake: {
      async handle(event, portal) {
        if (event.type === 'settlement.created') await debit(event, portal).catch(() => {});
        return 204;
      },
    },
    found: 'test_mark',
    cause: 'acts on an event with test: true',
  },
  {
    name: 'ignores duplicates',
    mistake: { handle: handleAll },
    found: 'duplicates',
    cause: 'debits each time that settlement.created arrives',
  },
  {
    name: 'refuses duplicates',
    mistake: {
      async handle(event, portal) {
        if (portal.books.handled.has(event.id)) return 409;
        return correctBackend.handle(event, portal);
      },
    },
    found: 'duplicates',
    cause: 'treats a webhook-id that it knows as an error',
  },
  {
    name: 'trusts the order',
    mistake: {
      async handle(event, portal) {
        const answer = await correctBackend.handle(event, portal);
        bookPlan(event, portal.books, { trustsOrder: true });
        return answer;
      },
    },
    found: 'late',
    cause: 'trusts the order in which webhooks arrive',
  },
  {
    name: 'debits twice',
    mistake: {
      async handle(event, portal) {
        const status = await correctBackend.handle(event, portal);
        if (event.type !== 'settlement.created' || event.test || event.custom) return status;
        await debit(event, portal).catch(() => {});
        return status;
      },
    },
    found: 'debited_once',
    cause: 'debits each time',
  },
  {
    name: 'keeps dollars as floating-point numbers',
    mistake: {
      view: (externalId, books) =>
        correctBackend.view(externalId, books).replace(/"debited_in_cents":(\d+)/, (_, cents) => {
          return `"debited_in_cents":${(Number(cents) / 100) * 100 + 0.000_000_1}`;
        }),
    },
    found: 'debited_once',
    cause: 'keeps money as a floating-point number',
  },
  {
    name: 'never reports a debit',
    mistake: {
      async handle(event, portal) {
        const quiet = { ...portal.svc.settlements, update: async () => ({}) as never };
        const svcClient = Object.assign(Object.create(portal.svc), { settlements: quiet });
        return correctBackend.handle(event, { ...portal, svc: svcClient });
      },
    },
    found: 'reported',
    cause: 'debits and does not report it',
  },
  {
    name: 'accepts a webhook although its report failed',
    mistake: {
      handle: (event, portal) => correctBackend.handle(event, portal).catch(() => 204),
    },
    found: 'report_repeated',
    cause: 'answers 2xx although its report failed',
  },
  {
    name: 'marks a webhook as handled before it is',
    mistake: {
      async handle(event, portal) {
        if (portal.books.handled.has(event.id)) return 204;
        portal.books.handled.add(event.id);
        return handleAll(event, portal);
      },
    },
    found: 'report_repeated',
    cause: 'marks a webhook as handled before its work is done',
  },
  {
    name: 'forgets returns',
    mistake: {
      handle: async (event, portal) =>
        event.type === 'settlement.failed' ? 204 : correctBackend.handle(event, portal),
    },
    found: 'returned',
    cause: 'does not handle settlement.failed',
  },
  {
    name: 'stores under the wrong tenant',
    mistake: { view: (_, books) => correctBackend.view('t-100', books) },
    found: 'split',
    cause: 'under another tenant’s id',
  },
  {
    name: 'answers before it stores',
    mistake: {
      async handle(event, portal) {
        setTimeout(() => void correctBackend.handle(event, portal).catch(() => {}), 150);
        return 204;
      },
    },
    found: 'stored_before_answer',
    status: 'warn',
    cause: 'answers before it stores the event',
  },
];

test.each(faults)('a backend that $name is found by the case $found', async (fault) => {
  const { mistake, found, status = 'fail', cause } = fault;
  const result = await certify(mistake, found);
  expect({ status: result.status, cause: result.cause }).toEqual({
    status,
    cause: expect.stringContaining(cause),
  });
  expect(result.fix).toMatch(/\.$/);
  expect(result.docs_url).toContain(`${svc.origin}/docs/`);
});

describe('a receiver that hangs', () => {
  test('fails the handshake after 15 seconds, and gets nothing else', async () => {
    const { key } = await svc.newPartner();
    let heard = () => {};
    const asked = new Promise<void>((resolve) => {
      heard = resolve;
    });
    const portal = await openPortal(svc, key, {
      respond: () => {
        heard();
        return true;
      },
    });
    afterAll(() => {
      portal.server.closeAllConnections();
      portal.server.close();
    });
    const { data: run } = await svc.call('POST', '/certifications', { key, body: {} });
    const path = `/certifications/${run.id}/cases`;
    const handshake = svc.call('POST', `${path}/handshake`, { key });
    await asked;
    svc.clock.advance(15_000);
    expect((await handshake).data).toMatchObject({
      status: 'fail',
      summary: 'No answer to tenant.updated, signed within 15 seconds.',
      cause: 'Your receiver hangs, or does its work before it answers.',
    });
    const { data } = await svc.call('POST', `${path}/burst`, { key });
    expect(data).toMatchObject({
      status: 'skipped',
      summary: expect.stringContaining('handshake'),
    });
    expect(portal.received).toHaveLength(1);
  });
});

test('without a tenant query and a report, what cannot be judged is skipped', async () => {
  const silent: Partial<Backend> = { handle: async () => 204 };
  for (const name of ['debited_once', 'returned', 'stored_before_answer'] as const) {
    const result = await certify(silent, name, { withQuery: false });
    expect(result).toMatchObject({
      status: 'skipped',
      summary: expect.stringContaining('tenant query'),
    });
  }
});

test('without a tenant query, two reports of different debits show a repeated debit', async () => {
  const result = await certify({ handle: handleAll }, 'duplicates', { withQuery: false });
  expect(result.cause).toContain('debits each time that settlement.created arrives');
});
