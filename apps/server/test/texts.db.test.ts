import { boolean, bytes, instant, integer, nullable, row, sql, text } from '@svc/db';
import { rowsOf } from '@svc/db/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Listed } from '../src/domain/listed.ts';
import { claimTexts } from '../src/domain/texts/claim-texts.ts';
import { dropReasons } from '../src/domain/texts/is-given-up.ts';
import type { TextLine } from '../src/domain/texts/list-texts.ts';
import type { Texts } from '../src/domain/texts/text-sender.ts';
import { sendTexts } from '../src/jobs/send-texts.ts';
import { measureStored } from '../src/metrics/measure-stored.ts';
import { createTwilio } from '../src/outside/twilio.ts';
import { ada, type Running, startRunning } from './harness.ts';
import { playTenant } from './journeys/play-tenant.ts';
import { type Partner, withPlan } from './journeys/with-plan.ts';
import {
  signTwilioWebhook,
  startTwilioDouble,
  type TwilioDouble,
} from './support/twilio-double.ts';

// Reminders by text message, with a double of Twilio on loopback. 9 a.m. in Chicago.
const start = '2026-01-20T15:00:00Z';
const origin = 'http://svc.example';
const quiet = { info: () => {}, warn: () => {}, error: () => {} };
let double: TwilioDouble;
let svc: Running;
let partner: Partner;
let texts: Texts;

beforeAll(async () => {
  double = await startTwilioDouble();
  svc = await startRunning(
    // The test runs the lane itself.
    { roles: ['api'], publicOrigin: origin, sms: 'twilio', twilio: double.settings },
    start,
  );
  partner = await svc.newPartner();
  const offered = svc.service.texts;
  if (!offered) throw new Error('no texts');
  texts = offered;
  // The plans of the tests are simulated, and no phone gets what the double takes.
  Object.assign(texts.sender, { takesSimulated: true });
});
afterAll(async () => {
  await svc.close();
  await double.close();
});

let numbers = 0;
/** A number that no other test uses. */
function newNumber(): string {
  numbers += 1;
  return `+1212555${String(numbers).padStart(4, '0')}`;
}

/** The calls of a tenant's texts, with its session. */
function textsOf(session: string) {
  const headers = { authorization: `Bearer ${session}` };
  const read = async () => (await svc.call('GET', '/experience/texts', { headers })).data;
  const post = (path: string, body?: object) =>
    svc.call('POST', `/experience/texts/${path}`, { headers, ...(body ? { body } : {}) });
  const request = async (number: string, locale: 'en' | 'es' = 'en') => {
    const { consents } = await read();
    const { sha256 } = consents.find((it: { locale: string }) => it.locale === locale);
    return post('code', { number, accepted_consent_sha256: sha256, locale });
  };
  const confirm = (code: string) => post('confirm', { code });
  const optIn = async (number: string, locale: 'en' | 'es' = 'en') => {
    await request(number, locale);
    const { data } = await confirm(lastCode());
    expect(data).toMatchObject({ problem: null, texts: { state: 'on' } });
  };
  return { read, post, request, confirm, stop: () => post('stop'), optIn };
}

/** The code in the last text that the double took. */
function lastCode(): string {
  const { Body = '' } = double.taken.at(-1) ?? {};
  return /\b\d{6}\b/.exec(Body)?.[0] ?? '';
}

/** A tenant in real time, without a plan. */
async function newTenant(externalId: string, of = partner) {
  const info = await svc.call('POST', `/tenant/portal_info/${externalId}`, {
    key: of.key,
    body: { ...ada, phone_number: '+12125559999' },
  });
  const who = { pms: of.pms, apiKey: of.key, externalId, productVariant: 'rent' as const };
  const { exchanged } = await playTenant(svc, info.data.token, who);
  return textsOf(exchanged.data.session);
}

/** A tenant with a plan who gets texts. Its clock shows noon of February 1 in Chicago. */
async function withTexts(externalId: string, locale: 'en' | 'es' = 'en') {
  const tenant = await withPlan(svc, partner, externalId, { locale });
  const number = newNumber();
  const calls = textsOf(tenant.exchanged.data.session);
  await calls.optIn(number, locale);
  return { ...tenant, ...calls, number };
}

const messageRow = row('text message', {
  type: text,
  attempts: integer,
  dueAt: nullable(instant),
  sentAt: nullable(instant),
  providerRef: nullable(text),
  failure: nullable(text),
  id: text,
});

function messagesOf(externalId: string) {
  return svc.db.many(
    messageRow,
    sql`
    select m.type, m.attempts, m.due_at, m.sent_at, m.provider_ref, m.failure, m.id
    from text_message m join tenant t on t.partner_id = m.partner_id and t.id = m.tenant_id
    where t.external_id = ${externalId} and t.partner_id = ${partner.id} order by m.created_at, m.id`,
  );
}

function lane(using: Texts = texts) {
  return sendTexts({ db: svc.db, clock: svc.clock, log: quiet, service: svc.service }, using);
}

/** The bodies of the texts to the number. */
function received(number: string): string[] {
  return double.taken.filter(({ To }) => To === number).map(({ Body = '' }) => Body);
}

const phone = (number: string) => ({
  /** Sends a text to us, as Twilio passes it on. */
  async reply(body: string, { id = `SM-in-${++numbers}`, ...more }: Record<string, string> = {}) {
    const fields = { MessageSid: id, From: number, To: '+12125550100', Body: body, ...more };
    const response = await webhook('', fields);
    expect(response.status).toBe(200);
    return /<Message>(.*)<\/Message>/.exec(await response.text())?.[1] ?? null;
  },
});

function webhook(query: string, fields: Record<string, string>, settings = double.settings) {
  const signed = signTwilioWebhook(settings, `${origin}/webhooks/texts${query}`, fields);
  return fetch(`${svc.url}/webhooks/texts${query}`, { method: 'POST', ...signed });
}

describe('turning texts on', () => {
  test('a code confirms the number, and the exact consent is stored with it', async () => {
    const tenant = await newTenant('t-opt-in');
    const before = await tenant.read();
    expect(before).toMatchObject({ state: 'off', number: null, reported_number: '+12125559999' });
    const number = newNumber();
    const sent = await tenant.request(`(212) 555-${number.slice(-4)}`, 'es');
    expect(sent.data).toMatchObject({ problem: null, texts: { state: 'code_sent' } });
    expect(double.taken.at(-1)).toMatchObject({ To: number, From: '+12125550100' });
    const wrong = await tenant.confirm(lastCode() === '000000' ? '000001' : '000000');
    expect(wrong.data).toMatchObject({ problem: 'wrong_code', texts: { state: 'code_sent' } });
    const { data } = await tenant.confirm(lastCode());
    const masked = `(•••) •••-${number.slice(-4)}`;
    expect(data).toMatchObject({ problem: null, texts: { state: 'on', number: masked } });
    const [stored] = await svc.db.many(
      row('consent', {
        consentText: text,
        consentVersion: text,
        locale: text,
        confirmedAt: instant,
        numberSealed: bytes,
        numberHmac: bytes,
        hasCode: boolean,
        tenantId: text,
      }),
      sql`
      select c.consent_text, c.consent_version, c.locale, c.confirmed_at, c.number_sealed,
        c.number_hmac, c.code_hmac is not null as has_code, c.tenant_id
      from text_consent c join tenant t on t.partner_id = c.partner_id and t.id = c.tenant_id
      where t.external_id = 't-opt-in'`,
    );
    const [, spanish] = before.consents;
    expect(stored).toMatchObject({
      consentText: spanish.text,
      consentVersion: spanish.version,
      locale: 'es',
      confirmedAt: new Date(start),
      hasCode: false,
    });
    const { vault } = svc.service;
    expect(vault.open(stored?.numberSealed ?? Buffer.of(), stored?.tenantId ?? '')).toBe(number);
    expect(stored?.numberHmac).toEqual(vault.digests(number)[0]);
  });

  test('the consent must be the one on screen', async () => {
    const tenant = await newTenant('t-changed');
    const { status, error } = await tenant.post('code', {
      number: newNumber(),
      accepted_consent_sha256: 'a'.repeat(64),
      locale: 'en',
    });
    expect([status, error?.code]).toEqual([409, 'version_conflict']);
  });

  test('a code can be tried five times and for ten minutes', async () => {
    const tenant = await newTenant('t-tries');
    await tenant.request(newNumber());
    const code = lastCode();
    const wrong = code === '111111' ? '222222' : '111111';
    const problems = [];
    for (let tried = 0; tried < 5; tried += 1)
      problems.push((await tenant.confirm(wrong)).data.problem);
    expect(problems).toEqual([...Array(4).fill('wrong_code'), 'code_expired']);
    expect((await tenant.confirm(code)).data.problem).toBe('code_expired');
    const late = await newTenant('t-late-code');
    await late.request(newNumber());
    svc.clock.advance(600_000);
    expect((await late.confirm(lastCode())).data).toMatchObject({
      problem: 'code_expired',
      texts: { state: 'off' },
    });
  });

  test('a tenant, a number and a partner get a limited number of codes a day', async () => {
    const tenant = await newTenant('t-many');
    for (let sent = 0; sent < 5; sent += 1) {
      expect((await tenant.request(newNumber())).data.problem).toBeNull();
    }
    const before = double.taken.length;
    expect((await tenant.request(newNumber())).data.problem).toBe('too_many');
    const number = newNumber();
    for (let sent = 0; sent < 5; sent += 1) {
      const other = await newTenant(`t-many-${sent}`);
      expect((await other.request(number)).data.problem).toBeNull();
    }
    const stranger = await newTenant('t-elsewhere', await svc.newPartner());
    expect((await stranger.request(number)).data.problem).toBe('too_many');
    expect(double.taken.length - before).toBe(5);

    const busy = await svc.newPartner();
    const one = await newTenant('t-busy', busy);
    await svc.db.run(sql`
      insert into text_consent (partner_id, id, tenant_id, number_sealed, number_hmac, consent_text,
        consent_version, locale, code_expires_at, tries_left, requested_at)
      select t.partner_id, 'txc_busy' || i, t.id, '', decode(repeat('ab', 32), 'hex'), '', '', 'en',
        ${new Date(start)}, 0, ${svc.clock.now()}::timestamptz - interval '1 hour'
      from tenant t, generate_series(1, ${texts.codesPerDay - 1}::integer) i
      where t.partner_id = ${busy.id}`);
    const two = await newTenant('t-busy-2', busy);
    expect((await two.request(newNumber())).data.problem).toBeNull();
    expect((await two.request(newNumber())).data.problem).toBe('too_many');
    expect((await one.request(newNumber())).data.problem).toBe('too_many');
  });

  test('codes requested at once are counted one by one', async () => {
    const tenant = await newTenant('t-at-once');
    const answers = await Promise.all(Array.from({ length: 8 }, () => tenant.request(newNumber())));
    const sent = answers.filter(({ data }) => data?.problem === null);
    expect(sent).toHaveLength(5);
  });

  test.each([
    ['416 555 0123', null, 'number'],
    ['12', null, 'number'],
    [null, { status: 400, code: 21_614 }, 'undeliverable'],
    [null, { status: 400, code: 21_610 }, 'stopped'],
    [null, { status: 429, code: 20_429 }, 'unavailable'],
    [null, { status: 503 }, null],
  ] as const)(
    'to %s with an answer of %j, the problem is %s',
    async (number, behavior, problem) => {
      const tenant = await newTenant(`t-problem-${++numbers}`);
      if (behavior) double.behaviors.push(behavior);
      const { data } = await tenant.request(number ?? newNumber());
      expect(data.problem).toBe(problem);
      expect(data.texts.state).toBe(problem === null ? 'code_sent' : 'off');
    },
  );

  test('another number replaces the first one once it is confirmed, and the tenant can turn texts off', async () => {
    const tenant = await newTenant('t-change');
    await tenant.optIn(newNumber());
    const second = newNumber();
    expect((await tenant.request(second)).data.texts.state).toBe('on');
    await tenant.confirm(lastCode());
    expect((await tenant.read()).number).toContain(second.slice(-4));
    expect((await tenant.stop()).data).toMatchObject({ texts: { state: 'off', number: null } });
    const ends = await rowsOf<{ ended_by: string }>(
      svc.db,
      sql`
      select c.ended_by from text_consent c join tenant t on t.partner_id = c.partner_id and t.id = c.tenant_id
      where t.external_id = 't-change' order by c.requested_at, c.id`,
    );
    expect(ends).toEqual([{ ended_by: 'replaced' }, { ended_by: 'tenant' }]);
  });

  test('a code of one tenant does not confirm the number of another', async () => {
    const [one, other] = [await newTenant('t-own'), await newTenant('t-not-own')];
    await other.request(newNumber());
    await one.request(newNumber());
    expect((await other.confirm(lastCode())).data.problem).toBe('wrong_code');
    const { status } = await svc.call('GET', '/experience/texts', { key: partner.key });
    expect(status).toBe(401);
  });
});

describe('reminders', () => {
  test.each([
    ['en', 'Your payment will be charged on February 9. Reply STOP to stop.'],
    ['es', 'Tu pago se cobra el 9 de febrero. Responde STOP para cancelar los mensajes.'],
  ] as const)(
    'in %s a reminder is sent once, without amount, property or link',
    async (locale, said) => {
      const tenant = await withTexts(`t-remind-${locale}`, locale);
      await tenant.simulate('advance_clock', { to: '2026-02-06T18:00:00Z' });
      expect(await messagesOf(`t-remind-${locale}`)).toMatchObject([
        { type: 'installment.upcoming', sentAt: null },
      ]);
      await lane();
      await lane();
      const [, reminder, ...others] = received(tenant.number);
      expect(reminder).toBe(`Svc Sandbox Finance: ${said}`);
      expect(reminder?.length).toBeLessThanOrEqual(160);
      expect(others).toEqual([]);
      expect(await messagesOf(`t-remind-${locale}`)).toMatchObject([
        { failure: null, dueAt: null },
      ]);
    },
  );

  test('names the amount and the property if the operator allows it', async () => {
    const tenant = await withTexts('t-details');
    await tenant.simulate('advance_clock', { to: '2026-02-06T18:00:00Z' });
    await lane({ ...texts, showsDetails: true });
    expect(received(tenant.number).at(-1)).toContain('Your payment of $380.03');
  });

  test('tells of a failed payment, and no text is sent to a tenant who did not ask', async () => {
    const tenant = await withTexts('t-failed');
    const without = await withPlan(svc, partner, 't-no-texts');
    for (const each of [tenant, without]) {
      await each.simulate('fail_next_payment', { return_code: 'R02' });
      await each.simulate('advance_clock', { to: '2026-02-13T18:00:00Z' });
    }
    expect(await messagesOf('t-no-texts')).toEqual([]);
    await lane();
    const [, ...reminders] = received(tenant.number);
    // The reminder of February 6 is no longer true when the clock has passed the payment.
    expect(reminders).toEqual([
      "Svc Sandbox Finance: Your payment didn't go through. Open your plan to see what to do. Reply STOP to stop.",
    ]);
    expect(await messagesOf('t-failed')).toMatchObject([
      { type: 'installment.upcoming', failure: 'it is no longer true' },
      { type: 'installment.failed', failure: null },
    ]);
  });

  test('wait from 9 p.m. to 8 a.m. of the tenant, and are dropped if they are no longer true then', async () => {
    const tenant = await withTexts('t-night');
    const paid = await withTexts('t-night-paid');
    for (const each of [tenant, paid]) {
      await each.simulate('advance_clock', { to: '2026-02-07T03:00:00Z' });
    }
    const before = double.taken.length;
    await lane();
    expect(double.taken).toHaveLength(before);
    const [waiting] = await messagesOf('t-night');
    const untilMorning = (waiting?.dueAt?.getTime() ?? 0) - svc.clock.now().getTime();
    expect(untilMorning).toBe(11 * 3_600_000);
    const payable = paid.plan.installments[1].id;
    await paid.change('pay', { installment_ids: [payable] });
    svc.clock.advance(untilMorning - 1);
    await lane();
    expect(double.taken).toHaveLength(before);
    svc.clock.advance(1);
    await lane();
    expect(received(tenant.number)).toHaveLength(2);
    expect(received(paid.number)).toHaveLength(1);
    expect(await messagesOf('t-night-paid')).toMatchObject([{ failure: 'it is no longer true' }]);
  });

  test('are not sent after the tenant has turned texts off', async () => {
    const tenant = await withTexts('t-off');
    await tenant.simulate('advance_clock', { to: '2026-02-06T18:00:00Z' });
    await tenant.stop();
    await lane();
    expect(received(tenant.number)).toHaveLength(1);
    expect(await messagesOf('t-off')).toMatchObject([{ failure: 'the tenant stopped texts' }]);
  });

  test('are not sent to numbers of simulated tenants, which may be of other people', async () => {
    const tenant = await withTexts('t-simulated');
    await tenant.simulate('advance_clock', { to: '2026-02-06T18:00:00Z' });
    await lane({ ...texts, sender: { ...texts.sender, takesSimulated: false } });
    expect(received(tenant.number)).toHaveLength(1);
  });
});

describe('when Twilio fails', () => {
  async function dueReminder(externalId: string) {
    const tenant = await withTexts(externalId);
    await tenant.simulate('advance_clock', { to: '2026-02-06T18:00:00Z' });
    return tenant;
  }

  test.each(['accept_silently', 'accept_and_drop'] as const)(
    'a text that it took without an answer (%s) is never sent again, and its report settles it',
    async (behavior) => {
      const externalId = `t-${behavior}`;
      const tenant = await dueReminder(externalId);
      double.behaviors.push(behavior);
      const arrived = double.arrival();
      const sending = lane();
      await arrived;
      if (behavior === 'accept_silently') svc.clock.advance(10_000);
      await sending;
      const [unknown] = await messagesOf(externalId);
      expect(unknown).toMatchObject({ sentAt: null, dueAt: null });
      expect(unknown?.failure).toContain('not known');
      svc.clock.advance(86_400_000);
      await lane();
      expect(received(tenant.number)).toHaveLength(2);
      const { StatusCallback = '' } =
        double.taken.find(({ StatusCallback: url }) => url?.includes(unknown?.id ?? '-')) ?? {};
      const status = { MessageSid: 'SM-late', MessageStatus: 'delivered' };
      const response = await webhook(new URL(StatusCallback).search, status);
      expect(response.status).toBe(200);
      expect(await messagesOf(externalId)).toMatchObject([
        { sentAt: svc.clock.now(), providerRef: 'SM-late', failure: null },
      ]);
    },
  );

  test.each([
    { status: 429, code: 20_429 },
    { status: 503, code: 20_503 },
    { status: 500, code: 20_500 },
    { status: 401, code: 20_003 },
  ])('after %j the text is sent again a minute later, once', async (behavior) => {
    const externalId = `t-later-${behavior.status}`;
    const tenant = await dueReminder(externalId);
    double.behaviors.push(behavior);
    await lane();
    expect(await messagesOf(externalId)).toMatchObject([
      { sentAt: null, attempts: 1, failure: `Twilio error ${behavior.code}` },
    ]);
    await lane();
    expect(received(tenant.number)).toHaveLength(1);
    svc.clock.advance(60_000);
    await lane();
    await lane();
    expect(received(tenant.number)).toHaveLength(2);
  });

  test('a gateway in front of it does not know whether it took the text', async () => {
    await dueReminder('t-gateway');
    double.behaviors.push({ status: 502, body: '<html>Bad Gateway</html>' });
    await lane();
    expect(await messagesOf('t-gateway')).toMatchObject([{ sentAt: null, dueAt: null }]);
  });

  test('without a connection the text is sent later, and given up after five attempts', async () => {
    const tenant = await dueReminder('t-refused');
    const gone = await startTwilioDouble();
    await gone.close();
    const sender = { ...createTwilio(svc.clock, gone.settings), takesSimulated: true };
    const nowhere = { ...texts, sender };
    for (const minutes of [1, 5, 30, 120, 600]) {
      await lane(nowhere);
      svc.clock.advance(minutes * 60_000);
    }
    await lane();
    expect(received(tenant.number)).toHaveLength(1);
    expect(await messagesOf('t-refused')).toMatchObject([
      { attempts: 5, dueAt: null, sentAt: null },
    ]);
    // The list has it, and not those that were sent or dropped for a good reason.
    const list = async (filter: { given_up?: true }) => {
      const answer = await svc.administer({ command: 'text list', pms: partner.pms, ...filter });
      return (answer as unknown as { result: Listed<TextLine> }).result.items;
    };
    const givenUp = await list({ given_up: true });
    expect(givenUp.filter((it) => it.external_id === 't-refused')).toMatchObject([
      { type: 'installment.upcoming', due_at: null, sent_at: null },
    ]);
    expect((await list({})).map((it) => it.failure)).toContain(dropReasons.stopped);
    expect(givenUp.map((it) => it.failure)).not.toContain(dropReasons.stopped);
    const measured = await measureStored(svc.db, svc.clock.now());
    expect(measured.svc_texts_given_up[0]?.value).toBeGreaterThanOrEqual(1);
  });

  test.each([
    [21_610, 'stopped'],
    [21_614, 'undeliverable'],
  ] as const)('error %s ends the consent: the tenant sees "%s"', async (code, state) => {
    const tenant = await dueReminder(`t-ends-${code}`);
    double.behaviors.push({ status: 400, code });
    await lane();
    expect((await tenant.read()).state).toBe(state);
    await tenant.simulate('advance_clock', { by: 'P14D' });
    await lane();
    expect(received(tenant.number)).toHaveLength(1);
  });

  test('a report that the number is a landline ends the consent, too', async () => {
    const tenant = await dueReminder('t-landline');
    await lane();
    const { StatusCallback = '' } = double.taken.at(-1) ?? {};
    const fields = { MessageSid: 'SM1', MessageStatus: 'undelivered', ErrorCode: '30006' };
    await webhook(new URL(StatusCallback).search, fields);
    expect((await tenant.read()).state).toBe('undeliverable');
  });

  test('a process that dies during the attempt does not make another one send it again', async () => {
    await dueReminder('t-died');
    const now = svc.clock.now();
    const claimed = await svc.db.transaction((tx) =>
      claimTexts({ tx, now, service: svc.service }, { limit: 20 }),
    );
    expect(claimed).toHaveLength(1);
    svc.clock.advance(86_400_000);
    expect(await lane()).toBe(0);
  });

  test('the request has the credentials, a limit in time and our address for reports', async () => {
    const tenant = await dueReminder('t-form');
    await lane();
    const sent = double.taken.findLast(({ To }) => To === tenant.number);
    // Noon in Chicago: nine hours until the night.
    expect(sent).toMatchObject({ From: '+12125550100', ValidityPeriod: '32400' });
    expect(sent?.StatusCallback).toMatch(/^http:\/\/svc\.example\/webhooks\/texts\?partner=/);
    const { accountSid, authToken } = double.settings;
    expect(double.requests.at(-1)).toEqual({
      path: `/2010-04-01/Accounts/${accountSid}/Messages.json`,
      authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
    });
  });
});

describe('replies', () => {
  test('a webhook with a wrong signature changes nothing', async () => {
    const tenant = await newTenant('t-forged');
    const number = newNumber();
    await tenant.optIn(number);
    const fields = { MessageSid: 'SM-forged', From: number, Body: 'STOP' };
    const forged = await webhook('', fields, { ...double.settings, authToken: 'guess' });
    expect(forged.status).toBe(403);
    const { headers } = signTwilioWebhook(double.settings, `${origin}/webhooks/texts`, fields);
    const changed = await fetch(`${svc.url}/webhooks/texts`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ ...fields, From: newNumber() }).toString(),
    });
    expect(changed.status).toBe(403);
    const elsewhere = await webhook('?partner=x', fields);
    expect(elsewhere.status).toBe(200);
    expect((await tenant.read()).state).toBe('stopped');
    const unsigned = await fetch(`${svc.url}/webhooks/texts`, {
      method: 'POST',
      body: 'Body=STOP',
    });
    expect(unsigned.status).toBe(403);
  });

  test('STOP in other words stops the texts of every tenant with the number, and is answered once', async () => {
    const other = await svc.newPartner();
    const [one, two] = [await newTenant('t-one'), await newTenant('t-two', other)];
    const number = newNumber();
    await one.optIn(number);
    await two.optIn(number);
    const { reply } = phone(number);
    const answer = await reply('please stop texting me', { id: 'SM-stop-1' });
    expect(answer).toContain('You won&#39;t get any more texts');
    expect([(await one.read()).state, (await two.read()).state]).toEqual(['stopped', 'stopped']);
    expect(await reply('please stop texting me', { id: 'SM-stop-1' })).toBeNull();
    expect(await reply('stop it now')).toBeNull();
  });

  test('a word that Twilio answers itself gets no second answer', async () => {
    const tenant = await newTenant('t-keyword');
    const number = newNumber();
    await tenant.optIn(number);
    expect(await phone(number).reply(' Stop ')).toBeNull();
    expect((await tenant.read()).state).toBe('stopped');
    const advanced = { OptOutType: 'HELP' };
    expect(await phone(number).reply('HELP', advanced)).toBeNull();
  });

  test('START starts texts again for a confirmed number only, and a replayed one does not', async () => {
    const tenant = await newTenant('t-start');
    const number = newNumber();
    const { reply } = phone(number);
    await tenant.request(number);
    const code = lastCode();
    await reply('START');
    expect((await tenant.read()).state).toBe('code_sent');
    await reply('no more texts');
    await reply('START');
    expect((await tenant.read()).state).toBe('off');
    expect((await tenant.confirm(code)).data.problem).toBe('code_expired');

    await tenant.optIn(number);
    await reply('basta');
    expect((await tenant.read()).state).toBe('stopped');
    expect(await reply('iniciar', { id: 'SM-start' })).toContain('again');
    expect((await tenant.read()).state).toBe('on');
    await reply('para');
    await reply('iniciar', { id: 'SM-start' });
    expect((await tenant.read()).state).toBe('stopped');
    // Turning texts off in the plan is not undone by a reply.
    await reply('iniciar');
    await tenant.stop();
    await reply('iniciar');
    expect((await tenant.read()).state).toBe('off');
  });

  test.each([
    ['en', 'HELP', 'Reply STOP to stop.'],
    ['es', 'ayuda', 'Responde STOP para cancelar.'],
  ] as const)(
    'in %s, %s is answered with who we are, a contact and how to stop',
    async (locale, word, how) => {
      const tenant = await newTenant(`t-help-${locale}`);
      const number = newNumber();
      await tenant.optIn(number, locale);
      const answer = await phone(number).reply(word);
      for (const part of ['Svc Sandbox Finance:', 'help@svc.example', how]) {
        expect(answer).toContain(part);
      }
      expect((await tenant.read()).state).toBe('on');
    },
  );

  test('a stranger, an unknown word and hostile text change nothing and log no text', async () => {
    const number = newNumber();
    const { reply } = phone(number);
    expect(await reply('stop')).toBeNull();
    expect(await reply('hola')).toBeNull();
    expect(await reply(`${'\u0301🙂'.repeat(400)}\u0000'; drop table tenant; --`)).toBeNull();
    expect(svc.lines.join('\n')).not.toContain(number);
  });
});

test('the code of a link goes by text if the link came by email, and by email if it came by text', async () => {
  const sendCode = async (externalId: string, sentBy: 'email' | 'text') => {
    const info = await svc.call('POST', `/tenant/portal_info/${externalId}`, {
      key: partner.key,
      body: {
        ...ada,
        phone_number: newNumber(),
        hosted: { use: 'message', sent_by: sentBy },
      },
    });
    const link = String(info.data.experience_url).split('#link=')[1];
    const body = { link, locale: 'en' };
    const sent = await svc.call('POST', '/experience/link/code', { body });
    return { link, sent: sent.data };
  };
  const before = double.taken.length;
  const byText = await sendCode('t-link-1', 'email');
  expect(byText.sent).toEqual({ sent_to: 'text', problem: null });
  expect(double.taken.at(-1)?.Body).toContain('is your code to open your payment page');
  const body = { link: byText.link, code: lastCode(), nonce: 'nonce-of-this-page-1' };
  const opened = await svc.call('POST', '/experience/link/confirm', { body });
  expect(opened.data.opened.tenant.external_id).toBe('t-link-1');
  const byMail = await sendCode('t-link-2', 'text');
  expect(byMail.sent).toEqual({ sent_to: 'email', problem: null });
  expect(double.taken).toHaveLength(before + 1);
});

test('the export has the number and the consent, and erasing deletes both', async () => {
  const tenant = await newTenant('t-erase');
  const number = newNumber();
  await tenant.optIn(number);
  const about = { pms: partner.pms, external_id: 't-erase' };
  const exported = await svc.administer({ command: 'tenant export', ...about });
  if (!exported.ok) throw new Error(exported.message);
  const { tables } = exported.result as { tables: { text_consent: [{ id: string }] } };
  const [consent] = tables.text_consent;
  expect(tables.text_consent).toMatchObject([{ number, locale: 'en', consent_version: '1' }]);
  const erased = await svc.administer({ command: 'tenant erase', ...about });
  expect(erased).toMatchObject({ ok: true });
  expect(await rowsOf(svc.db, sql`select from text_consent where id = ${consent.id}`)).toEqual([]);
});

test('without the setting, tenants see nothing of texts and Twilio gets no answer', async () => {
  const off = await startRunning({ roles: ['api'] }, start);
  try {
    const other = await off.newPartner();
    const tenant = await withPlan(off, other, 't-none');
    const { data } = await tenant.state();
    expect(data.texts).toBe(false);
    const headers = { authorization: `Bearer ${tenant.exchanged.data.session}` };
    expect((await off.call('GET', '/experience/texts', { headers })).status).toBe(404);
    expect((await fetch(`${off.url}/webhooks/texts`, { method: 'POST' })).status).toBe(404);
    await tenant.simulate('advance_clock', { to: '2026-02-06T18:00:00Z' });
    expect(await rowsOf(off.db, sql`select from text_message`)).toEqual([]);
  } finally {
    await off.close();
  }
});
