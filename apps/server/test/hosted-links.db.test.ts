import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Mail } from '../src/domain/mail/compose.ts';
import { sendMails } from '../src/jobs/send-mails.ts';
import { ada, useService } from './harness.ts';
import { testAccount } from './journeys/play-tenant.ts';

const svc = await useService({ roles: ['api'] });
type Partner = Awaited<ReturnType<typeof svc.newPartner>>;
let partner: Partner;
let tenants = 0;
let externalId: string;
beforeEach(async () => {
  partner = await svc.newPartner();
  tenants += 1;
  externalId = `t-${tenants}`;
});

const quiet = { info: () => {}, warn: () => {}, error: () => {} };
const nonce = 'nonce-of-this-page-1';

/** Sends portal_info with `hosted`; returns the link's secret, too. */
async function askForLink(hosted: object, more: object = {}) {
  const answer = await svc.call('POST', `/tenant/portal_info/${externalId}`, {
    key: partner.key,
    body: { ...ada, return_url: 'https://portal.example/rent', ...more, hosted },
  });
  return { ...answer, link: String(answer.data?.experience_url).split('#link=')[1] ?? '' };
}

const open = (link: string, by = nonce) =>
  svc.call('POST', '/experience/link', { body: { link, nonce: by } });
const withSession = (session: string) => ({ headers: { authorization: `Bearer ${session}` } });
const leave = (session: string, last_step = 'offer') =>
  svc.call('POST', '/experience/leave', { ...withSession(session), body: { last_step } });
const use = (result: string, { key } = partner) =>
  svc.call('POST', '/experience_results', { key, body: { result } });
const resultOf = (url: string) => new URL(url).searchParams.get('svc_result') ?? '';

describe('a link for a tap in the portal', () => {
  test('opens the experience once, and a lost answer can be repeated by the same page', async () => {
    const { data, link } = await askForLink({});
    expect(data.experience_url).toBe(`${svc.origin}/experience/${partner.pms}#link=${link}`);
    expect(data.experience_url_expires_at).toBe(
      new Date(svc.clock.now().getTime() + 600_000).toISOString(),
    );
    const opened = await open(link);
    expect(opened).toMatchObject({
      status: 200,
      data: { tenant: { external_id: externalId }, session: expect.stringMatching(/^svc_es_/) },
    });
    expect((await open(link)).status).toBe(200);
    expect(await open(link, 'nonce-of-another-page')).toMatchObject({
      status: 401,
      error: { code: 'token_invalid', message: expect.stringContaining('each works once') },
    });
    svc.clock.advance(31_000);
    expect((await open(link)).status).toBe(401);
  });

  test('of two pages at once, one opens', async () => {
    const { link } = await askForLink({});
    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => open(link, `nonce-of-page-000${page}`)),
    );
    expect(pages.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test.each([
    ['expired', async (link: string) => svc.clock.advance(600_001) ?? link, 'has expired'],
    ['altered', async (link: string) => `${link.slice(0, -1)}_`, 'is not complete'],
    ['of a token', async () => `svc_tt_${'0'.repeat(43)}`, 'is not complete'],
  ])('that is %s is refused with a sentence for the tenant', async (_, change, words) => {
    const { link } = await askForLink({});
    expect(await open(await change(link))).toMatchObject({
      status: 401,
      error: { message: expect.stringMatching(`${words}.*Go back to your portal`) },
    });
  });

  test('is not a tenant token, so the widget cannot use it', async () => {
    const { link } = await askForLink({});
    const body = { token: link, pms: partner.pms, external_id: externalId, nonce };
    const signature = createHmac('sha256', partner.key)
      .update(`${partner.pms}+${externalId}`)
      .digest('hex');
    const answer = await svc.call('POST', '/experience/session', { body: { ...body, signature } });
    expect(answer.error?.code).toBe('token_invalid');
    await open(link);
    const again = await svc.call('POST', '/experience/session', { body: { ...body, signature } });
    expect(again.status).toBe(200);
  });

  test('works until it is revoked, and its session, too', async () => {
    const { link } = await askForLink({});
    const other = await askForLink({});
    const opened = await open(link);
    const revoke = () =>
      svc.call('DELETE', `/tenants/${externalId}/experience_urls`, { key: partner.key });
    expect((await revoke()).data).toEqual({ revoked: 2 });
    expect((await revoke()).data).toEqual({ revoked: 0 });
    const { session } = opened.data;
    expect((await svc.call('GET', '/experience/state', withSession(session))).status).toBe(401);
    expect(await open(other.link)).toMatchObject({
      error: { message: expect.stringContaining('was turned off') },
    });
  });

  test('is not made on a dry run, nor for whoever did not ask', async () => {
    const path = `/tenant/portal_info/${externalId}`;
    const dry = await svc.call('POST', `${path}?dry_run=true`, {
      key: partner.key,
      body: { ...ada, hosted: {} },
    });
    expect(dry.data.experience_url).toBeNull();
    const plain = await svc.call('POST', path, { key: partner.key, body: ada });
    expect(plain.data).toMatchObject({ experience_url: null, experience_url_expires_at: null });
  });
});

describe('the result', () => {
  test('says that a plan was made, is signed with the API key, and is used once', async () => {
    await svc.call('POST', `/simulation/${externalId}/set_underwriting_result`, {
      key: partner.key,
      body: { underwriting_result: 'WILL_BE_APPROVED', rent_cycle_date: '2026-02-01' },
    });
    const { link } = await askForLink({ return_url: 'https://portal.example/rent/done?tab=2' });
    const opened = await open(link);
    const { session } = opened.data;
    const post = (path: string, body: object) =>
      svc.call('POST', `/experience/${path}`, { ...withSession(session), body });
    const records = await svc.call('GET', '/experience/electronic_records', withSession(session));
    await post('electronic_records', { accepted_sha256: records.data.texts[0].sha256 });
    await post('application', {
      date_of_birth: '1990-04-01',
      monthly_income_in_cents: 500_000,
      consent: true,
    });
    await post('payment_method', testAccount);
    const quotes = await svc.call('GET', '/experience/quotes', withSession(session));
    const quote = quotes.data.items.at(-1);
    await post('plan', {
      quote_id: quote.id,
      accepted_disclosure_sha256: quote.disclosure.sha256,
    });
    const { plan } = (await svc.call('GET', '/experience/state', withSession(session))).data;
    const left = await leave(session, 'done');
    expect(left.data.url).toMatch(/^https:\/\/portal\.example\/rent\/done\?tab=2&svc_result=/);
    const result = resultOf(left.data.url);
    const [facts = '', signature] = result.split('.');
    expect(signature).toBe(createHmac('sha256', partner.key).update(facts).digest('hex'));
    const said = {
      id: expect.stringMatching(/^res_/),
      external_id: externalId,
      reason: 'completed',
      last_step: 'done',
      plan_id: plan.id,
      expires_at: expect.any(String),
    };
    expect(JSON.parse(Buffer.from(facts, 'base64url').toString())).toEqual(said);
    const uses = await Promise.all([use(result), use(result)]);
    expect(uses.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 409]);
    expect(uses.find(({ status }) => status === 200)?.data).toEqual(said);
    expect((await use(result)).error?.code).toBe('result_used');
  });

  test('is refused when it is altered, late, or another portal’s', async () => {
    const { link } = await askForLink({});
    const { session } = (await open(link)).data;
    const result = resultOf((await leave(session)).data.url);
    const [facts = '', signature = ''] = result.split('.');
    const forged = Buffer.from(facts, 'base64url').toString().replace('dismissed', 'completed');
    const invalid = [
      `${Buffer.from(forged).toString('base64url')}.${signature}`,
      `${facts}.${'0'.repeat(64)}`,
      `${facts}.${'é'.repeat(64)}`,
      facts,
      '.',
      'eyJ9.',
    ];
    for (const text of invalid) {
      expect(await use(text)).toMatchObject({ status: 422, error: { code: 'result_invalid' } });
    }
    expect((await use(result, await svc.newPartner())).error?.code).toBe('result_invalid');
    svc.clock.advance(600_001);
    expect((await use(result)).error?.code).toBe('result_invalid');
  });

  test('returns to the portal’s return_url, or nowhere', async () => {
    const { link } = await askForLink({});
    const { session } = (await open(link)).data;
    expect((await leave(session)).data.url).toMatch(
      /^https:\/\/portal\.example\/rent\?svc_result=/,
    );
    const nowhere = await askForLink({}, { return_url: null });
    const opened = await open(nowhere.link);
    expect((await leave(opened.data.session)).data).toEqual({ url: null });
  });

  test('goes to the portal’s own origins and to schemes of its app only', async () => {
    const { key } = partner;
    await svc.call('PUT', '/partner/allowed_origins', {
      key,
      body: { allowed_origins: ['https://portal.example'], app_schemes: ['com.maple.app'] },
    });
    expect((await askForLink({ return_url: 'com.maple.app://rent?tab=2' })).status).toBe(200);
    expect((await askForLink({ return_url: 'https://portal.example/a' })).status).toBe(200);
    for (const return_url of [
      'https://evil.example/',
      'https://portal.example.evil.example/',
      'http://portal.example/',
      'com.other.app://rent',
      'javascript:alert(1)',
      'data:text/html,x',
      'intent://x',
      '//evil.example',
      'rent',
    ]) {
      const answer = await askForLink({ return_url });
      expect([return_url, answer.status]).toEqual([return_url, 422]);
    }
    const origins = await svc.call('PUT', '/partner/allowed_origins', {
      key,
      body: { allowed_origins: [] },
    });
    expect(origins.data).toEqual({ allowed_origins: [], app_schemes: ['com.maple.app'] });
    for (const scheme of ['https', 'JavaScript', 'javascript', 'intent', 'a b', 'app://']) {
      const answer = await svc.call('PUT', '/partner/allowed_origins', {
        key,
        body: { allowed_origins: [], app_schemes: [scheme] },
      });
      expect([scheme, answer.status]).toEqual([scheme, 422]);
    }
  });
});

describe('a link in a message', () => {
  const message = { use: 'message' };
  const sendCode = (link: string, locale = 'en') =>
    svc.call('POST', '/experience/link/code', { body: { link, locale } });
  const confirm = (link: string, code: string, by = nonce) =>
    svc.call('POST', '/experience/link/confirm', { body: { link, code, nonce: by } });

  async function mailedCode(): Promise<string> {
    const sent: Mail[] = [];
    const mailer = {
      takesSimulated: true,
      send: async (mail: Mail) => {
        sent.push(mail);
      },
      close: () => {},
    };
    const deps = { db: svc.db, clock: svc.clock, service: svc.service, log: quiet, mailer };
    // On a cluster, a batch has mails of one partner.
    while ((await sendMails(deps)) > 0);
    const [mail] = sent.filter(({ subject }) => subject.startsWith('Your code'));
    return /Your code is (\d{6})/.exec(mail?.subject ?? '')?.[1] ?? '';
  }

  test('says nothing of the tenant before the code, and lets them do everything after it', async () => {
    const { link, data } = await askForLink(message);
    expect(link).toMatch(/^svc_hm_/);
    expect(Date.parse(data.experience_url_expires_at) - svc.clock.now().getTime()).toBe(
      72 * 3_600_000,
    );
    expect((await open(link)).error).toMatchObject({ code: 'token_invalid' });
    const sent = await sendCode(link);
    expect(sent).toMatchObject({ status: 200, data: { sent_to: 'email', problem: null } });
    const code = await mailedCode();
    const wrong = code === '000000' ? '000001' : '000000';
    expect((await confirm(link, wrong)).data).toEqual({ opened: null, problem: 'wrong_code' });
    const opened = await confirm(link, code);
    expect(opened.data).toMatchObject({
      problem: null,
      opened: { tenant: { external_id: externalId } },
    });
    const session = opened.data.opened.session;
    const applied = await svc.call('POST', '/experience/paydays', {
      ...withSession(session),
      body: { paydays: null },
    });
    expect(applied.error?.code).not.toBe('confirmation_required');
    expect((await confirm(link, code)).status).toBe(200);
    expect((await confirm(link, code, 'nonce-of-another-page')).status).toBe(401);
  });

  test('is turned off by the fifth wrong code, also when they come at once', async () => {
    const { link } = await askForLink(message);
    await sendCode(link);
    const code = await mailedCode();
    const wrong = code === '999999' ? '999998' : '999999';
    const tries = await Promise.all([1, 2, 3, 4, 5, 6, 7].map(() => confirm(link, wrong)));
    expect(tries.filter(({ data }) => data?.problem === 'wrong_code')).toHaveLength(5);
    expect(await confirm(link, code)).toMatchObject({
      status: 401,
      error: { message: expect.stringContaining('turned off after five wrong codes') },
    });
  });

  test('takes the newest code only, for 10 minutes, and sends five', async () => {
    const { link } = await askForLink(message);
    await sendCode(link);
    const first = await mailedCode();
    await sendCode(link);
    const second = await mailedCode();
    if (first !== second) {
      expect((await confirm(link, first)).data.problem).toBe('wrong_code');
    }
    svc.clock.advance(600_001);
    expect((await confirm(link, second)).data.problem).toBe('code_expired');
    await sendCode(link);
    await sendCode(link);
    expect((await sendCode(link)).data.problem).toBeNull();
    expect((await sendCode(link)).data).toEqual({ sent_to: null, problem: 'too_many' });
  });

  test('a longer time than a link may have is refused', async () => {
    expect((await askForLink({ expires_in: 601 })).status).toBe(422);
    expect((await askForLink({ use: 'message', expires_in: 259_201 })).status).toBe(422);
    expect((await askForLink({ use: 'message', expires_in: 259_200 })).status).toBe(200);
  });
});
