import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from '@svc/db';
import { oneRowOf, rowsOf } from '@svc/db/testing';
import { expect, test, vi } from 'vitest';
import { findProgram } from '../../../scripts/release/find-program.ts';
import { createMailLink } from '../src/domain/access/mail-links.ts';
import { sha256 } from '../src/domain/access/secrets.ts';
import { renderPdf } from '../src/domain/documents/render-pdf.ts';
import { formatMoney, formatsOf } from '../src/words/formats.ts';
import { ada, useService } from './harness.ts';
import { playTenant } from './journeys/play-tenant.ts';
import { withPlan } from './journeys/with-plan.ts';
import { downloadDocument } from './support/download-document.ts';
import { readPdf } from './support/read-pdf.ts';

vi.mock('../src/domain/documents/render-pdf.ts', { spy: true });

const svc = await useService();
const partner = await svc.newPartner();
const { key, pms } = partner;

const tagsOfAgreement = 'Document H1 P Table TR TH TD H2 L LI Lbl LBody'.split(' ');

/** One pixel with transparency. */
const logo = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

type Tenant = Awaited<ReturnType<typeof withPlan>>;

const download = (session: string, document: string) =>
  downloadDocument({ url: svc.url, session, document });

const sessionOf = ({ exchanged }: Tenant): string => exchanged.data.session;

async function pdfOf(tenant: Tenant, path: string) {
  const { status, bytes } = await download(sessionOf(tenant), path);
  expect(status).toBe(200);
  return { bytes, ...readPdf(bytes) };
}

async function payAll(tenant: Tenant) {
  const open = tenant.plan.installments.filter(({ state }: { state: string }) => state !== 'paid');
  await tenant.change('pay', { installment_ids: open.map(({ id }: { id: string }) => id) });
}

function putLogo(ofKey: string): Promise<Response> {
  return fetch(`${svc.url}/v1/partner/appearance/logo`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${ofKey}`, 'content-type': 'image/png' },
    body: logo,
  });
}

async function withChoice(externalId: string) {
  await svc.call('POST', `/simulation/${externalId}/set_underwriting_result`, {
    key,
    body: { underwriting_result: 'WILL_BE_APPROVED', rent_cycle_date: '2026-02-01' },
  });
  const info = await svc.call('POST', `/tenant/portal_info/${externalId}`, { key, body: ada });
  const who = { pms, apiKey: key, externalId, productVariant: 'rent' as const };
  const tenant = await playTenant(svc, info.data.token, who);
  await tenant.apply();
  await tenant.pay();
  return tenant;
}

/** Opens a session with a mail's link. */
async function openMail(externalId: string): Promise<string> {
  const { id, hmac } = await oneRowOf<{ id: string; hmac: Buffer }>(
    svc.db,
    sql`select id, email_hmac as hmac from tenant
      where partner_id = ${partner.id} and external_id = ${externalId}`,
  );
  const link = await svc.db.transaction((tx) =>
    createMailLink(
      { now: svc.clock.now(), tx },
      {
        partnerId: partner.id,
        tenantId: id,
        productVariant: 'rent',
        addressedTo: { hmac, sha256: sha256(ada.email) },
      },
    ),
  );
  const body = { link, nonce: 'nonce-of-this-page-1' };
  return (await svc.call('POST', '/experience/link', { body })).data.session;
}

test('a tenant downloads the agreement as a tagged PDF with its whole text', async () => {
  const tenant = await withPlan(svc, partner, 't-agreement');
  const { headers } = await download(sessionOf(tenant), `agreement/${tenant.plan.id}`);
  expect(headers.get('content-type')).toBe('application/pdf');
  expect(headers.get('content-disposition')).toBe('attachment; filename="my-file.pdf"');
  const pdf = await pdfOf(tenant, `agreement/${tenant.plan.id}`);
  const { agreement } = (await tenant.ownPlan()).data.management;
  // Without the marks of the layout, which are structure in the PDF.
  const words = (it: string) => it.replaceAll(/^\s*\d+\. |: |\s+/gm, ' ').replaceAll(/ +/g, ' ');
  const shown = words(pdf.text);
  for (const line of agreement.text.split(/\n+/)) expect(shown).toContain(words(line).trim());
  expect(pdf.text).toContain(`Document ID ${agreement.sha256}`);
  expect(new Set(pdf.tags)).toEqual(new Set(tagsOfAgreement));
  expect(pdf.language).toBe('en-US');
});

test('a download returns the first file, also after the brand, the name and the library have changed', async () => {
  const { id, ...own } = await svc.newPartner();
  const tenant = await withPlan(svc, { id, ...own }, 't-same');
  const agreement = `agreement/${tenant.plan.id}`;
  const { receipts } = (await tenant.ownPlan()).data.management;
  const receipt = `receipt/${receipts[0].id}`;
  const first = [await pdfOf(tenant, agreement), await pdfOf(tenant, receipt)];
  await svc.call('PUT', '/partner/appearance', {
    key: own.key,
    body: { accent: '#b91c1c', radius: null, font: null, theme: 'auto' },
  });
  await svc.call('POST', '/tenant/portal_info/t-same', {
    key: own.key,
    body: { ...ada, first_name: 'Grace' },
  });
  vi.mocked(renderPdf).mockRejectedValue(new Error('An update of the library.'));
  const again = [await pdfOf(tenant, agreement), await pdfOf(tenant, receipt)];
  expect(again.map(({ bytes }) => bytes)).toEqual(first.map(({ bytes }) => bytes));
  vi.mocked(renderPdf).mockReset();
  const stored = await rowsOf<{ sealed: Buffer }>(
    svc.db,
    sql`select content_sealed as sealed from tenant_document where partner_id = ${id}`,
  );
  expect(stored).toHaveLength(2);
  // Neither the file nor its base64 is in the database.
  for (const { sealed } of stored) {
    expect(['%PDF', 'JVBERi'].some((start) => sealed.includes(start))).toBe(false);
  }
});

test('first downloads at once return the same bytes', async () => {
  const tenant = await withPlan(svc, partner, 't-at-once');
  const path = `agreement/${tenant.plan.id}`;
  const all = await Promise.all(Array.from({ length: 8 }, () => download(sessionOf(tenant), path)));
  const [first, ...others] = all.map((it) => it.bytes.toString('base64'));
  expect(new Set(others)).toEqual(new Set([first]));
});

test('receipts have the amounts and days of the API, in the language on screen', async () => {
  // Another tenant of the same lease would make it a share of the rent.
  const own = await svc.newPartner();
  const tenant = await withPlan(svc, own, 't-receipts');
  await svc.call('POST', '/tenant/portal_info/t-receipts', {
    key: own.key,
    body: {
      ...ada,
      lease: { ...ada.lease, property: { ...ada.lease.property, name: 'Elm Court' } },
    },
  });
  await payAll(tenant);
  const { receipts } = (await tenant.ownPlan()).data.management;
  expect(receipts).toHaveLength(4);
  for (const receipt of receipts) {
    const { text: shown, tags } = await pdfOf(tenant, `receipt/${receipt.id}`);
    const lines = shown.split('\n');
    const valueAfter = (term: string) => lines[lines.indexOf(term) + 1];
    expect(valueAfter('Amount paid')).toBe(formatMoney(receipt.amount_in_cents));
    expect(valueAfter('Date paid')).toBe(formatsOf('en').fullDate(receipt.paid_on));
    expect(valueAfter('Paid from')?.toLowerCase()).toBe('bank account ending in 0000');
    expect(valueAfter('For')).toBe('February 2026 rent, to Elm Court');
    expect(valueAfter('Name')).toBe('Ada Lane');
    expect(valueAfter('Receipt number')).toBe(receipt.id);
    expect(tags).toContain('Figure');
  }
  const spanish = await pdfOf(tenant, `receipt/${receipts[0].id}?locale=es`);
  expect(spanish.language).toBe('es-US');
  expect(spanish.text).toContain('Monto pagado');
  expect(spanish.text).toContain('Renta de febrero de 2026, a Elm Court');
});

test('a notice names the decision, the amount, the reasons and the rights', async () => {
  const external = 't-declined';
  await svc.call('POST', `/tenant/portal_info/${external}`, { key, body: ada });
  const info = await svc.call('POST', `/tenant/portal_info/${external}`, { key, body: ada });
  const who = { pms, apiKey: key, externalId: external, productVariant: 'rent' as const };
  const tenant = await playTenant(svc, info.data.token, who);
  await svc.call('POST', `/simulation/${external}/scenario`, {
    key,
    body: { scenario: 'declined' },
  });
  const { notice, application } = (await tenant.state()).data;
  const session = tenant.exchanged.data.session;
  for (const locale of ['en', 'es'] as const) {
    const { status, bytes: pdf } = await download(
      session,
      `notice/${application.id}?locale=${locale}`,
    );
    expect(status).toBe(200);
    const shown = readPdf(pdf).text.replaceAll('\n', ' ');
    const own =
      notice.translations.find((it: { locale: string }) => it.locale === locale) ?? notice;
    expect(shown).toContain(own.rights);
    for (const reason of own.reasons) expect(shown).toContain(reason);
    expect(shown).toContain(formatMoney(notice.amount_in_cents));
    expect(shown).toContain('Ada Lane');
    expect(shown).toContain(notice.creditor);
  }
});

test('a payoff letter exists once nothing is owed, with the plan’s amounts', async () => {
  const tenant = await withPlan(svc, partner, 't-payoff');
  const path = `payoff/${tenant.plan.id}`;
  expect((await download(sessionOf(tenant), path)).status).toBe(404);
  await payAll(tenant);
  const { text: shown } = await pdfOf(tenant, path);
  const { amounts, receipts } = (await tenant.ownPlan()).data.management;
  const lines = shown.split('\n');
  expect(lines[lines.indexOf('Still owed') + 1]).toBe('$0.00');
  expect(lines[lines.indexOf('Paid') + 1]).toBe(formatMoney(amounts.paid_in_cents));
  for (const receipt of receipts) expect(lines).toContain(formatMoney(receipt.amount_in_cents));
});

test('a statement of a year that is over has its payments, and their sums', async () => {
  const tenant = await withPlan(svc, partner, 't-statement');
  await payAll(tenant);
  expect((await download(sessionOf(tenant), 'statement/2026')).status).toBe(404);
  await tenant.simulate('advance_clock', { by: 'P360D' });
  const { text: shown } = await pdfOf(tenant, 'statement/2026');
  const { plan, management } = (await tenant.ownPlan()).data;
  const lines = shown.split('\n');
  expect(lines[lines.indexOf('Paid') + 1]).toBe(formatMoney(management.amounts.paid_in_cents));
  expect(lines[lines.indexOf('Fees in these payments') + 1]).toBe(formatMoney(plan.fee_in_cents));
  for (const receipt of management.receipts) {
    expect(lines).toContain(formatMoney(receipt.amount_in_cents));
  }
  expect((await download(sessionOf(tenant), 'statement/2025')).status).toBe(404);
  expect((await download(sessionOf(tenant), 'statement/20260')).status).toBe(404);
});

test('an agreement can be saved before it is accepted, by the hash of its text', async () => {
  const info = await withChoice('t-offer');
  const { items } = (await info.quotes()).data;
  const [text] = items[0].disclosure.translations;
  const { status, bytes: pdf } = await download(
    info.exchanged.data.session,
    `offer/${text.sha256}`,
  );
  expect(status).toBe(200);
  expect(readPdf(pdf)).toMatchObject({ language: 'es-US' });
  expect(readPdf(pdf).text).toContain('Todavía no has aceptado este contrato.');
  const none = await download(info.exchanged.data.session, `offer/${'0'.repeat(64)}`);
  expect(none.status).toBe(404);
});

test('names that no font has show question marks and keep their text', async () => {
  const tenant = await withPlan(svc, partner, 't-names');
  const names = [
    ['Nguyễn Thị', 'Łukaszewicz', 'Nguyễn Thị Łukaszewicz', []],
    ['محمد', 'علي', '???? ???', ['محمد', 'علي']],
    ['Ada 😀', 'Lane\u202e', 'Ada ? Lane', ['😀']],
  ] as const;
  await payAll(tenant);
  const { receipts } = (await tenant.ownPlan()).data.management;
  for (const [index, [first_name, last_name, shown, actualTexts]] of names.entries()) {
    await svc.call('POST', '/tenant/portal_info/t-names', {
      key,
      body: { ...ada, first_name, last_name },
    });
    const pdf = await pdfOf(tenant, `receipt/${receipts[index].id}`);
    expect(pdf.text.replaceAll('\n', ' ')).toContain(`Name ${shown} For`);
    expect(pdf.actualTexts).toEqual(actualTexts);
  }
});

test('the partner’s logo is in the file', async () => {
  const own = await svc.newPartner();
  const tenant = await withPlan(svc, own, 't-logo');
  await putLogo(own.key);
  expect((await pdfOf(tenant, `agreement/${tenant.plan.id}`)).images).toBeGreaterThan(0);
});

test('a tenant gets no document of another tenant or partner', async () => {
  const [mine, theirs] = [
    await withPlan(svc, partner, 't-mine'),
    await withPlan(svc, partner, 't-theirs'),
  ];
  await payAll(theirs);
  const { receipts } = (await theirs.ownPlan()).data.management;
  const { application } = (await theirs.state()).data;
  for (const path of [
    `agreement/${theirs.plan.id}`,
    `payoff/${theirs.plan.id}`,
    `receipt/${receipts[0].id}`,
    `notice/${application?.id ?? 'app_none'}`,
    'receipt/pay_none',
    'statement/2025',
  ]) {
    expect((await download(sessionOf(mine), path)).status).toBe(404);
  }
  expect((await download(sessionOf(mine), 'other/x')).status).toBe(422);
  expect((await download(key, `agreement/${theirs.plan.id}`)).status).toBe(401);
});

test('a session from a mail gets receipts without the account’s digits, and no agreement', async () => {
  const tenant = await withPlan(svc, partner, 't-mail');
  await payAll(tenant);
  const { receipts } = (await tenant.ownPlan()).data.management;
  const look = await openMail('t-mail');
  const path = `receipt/${receipts[0].id}`;
  const hidden = readPdf((await download(look, path)).bytes).text;
  expect(hidden).toContain('ending in ••••');
  expect((await pdfOf(tenant, path)).text).toContain('ending in 0000');
  for (const refused of [
    `agreement/${tenant.plan.id}`,
    `payoff/${tenant.plan.id}`,
    'statement/2025',
  ]) {
    const { status, bytes: body } = await download(look, refused);
    expect([status, JSON.parse(body.toString()).error.code]).toEqual([
      403,
      'confirmation_required',
    ]);
  }
});

test('an erased tenant leaves no document, and an export contains them', async () => {
  const tenant = await withPlan(svc, partner, 't-erased');
  await payAll(tenant);
  const { bytes } = await pdfOf(tenant, `payoff/${tenant.plan.id}`);
  const count = async () =>
    (
      await rowsOf(
        svc.db,
        sql`select from tenant_document where partner_id = ${partner.id} and subject_id = ${tenant.plan.id}`,
      )
    ).length;
  expect(await count()).toBe(1);
  const exported = await svc.administer({
    command: 'tenant export',
    pms,
    external_id: 't-erased',
  });
  const { tables } = (exported as { result: { tables: Record<string, object[]> } }).result;
  expect(tables.tenant_document).toMatchObject([{ pdf_base64: bytes.toString('base64') }]);
  await tenant.simulate('advance_clock', { by: 'P20D' });
  for (const status of ['unverified', 'verified']) {
    await svc.call('PATCH', `/settlements/${(await tenant.read()).settlement_id}`, {
      key,
      body: { status },
    });
  }
  const erased = await svc.administer({ command: 'tenant erase', pms, external_id: 't-erased' });
  expect(erased.ok).toBe(true);
  expect(await count()).toBe(0);
});

const verapdf = findProgram('verapdf', 'VERAPDF_BIN');

test.skipIf(verapdf === undefined)(
  'documents conform to PDF/UA-1 (needs VERAPDF_BIN, or verapdf on PATH)',
  async () => {
    const own = await svc.newPartner();
    await putLogo(own.key);
    const tenant = await withPlan(svc, own, 't-ua');
    await svc.call('POST', '/tenant/portal_info/t-ua', {
      key: own.key,
      body: { ...ada, first_name: 'محمد', last_name: 'Nguyễn 😀' },
    });
    await payAll(tenant);
    const { receipts } = (await tenant.ownPlan()).data.management;
    await tenant.simulate('advance_clock', { by: 'P360D' });
    const paths = [
      `agreement/${tenant.plan.id}`,
      `receipt/${receipts[0].id}`,
      `payoff/${tenant.plan.id}?locale=es`,
      'statement/2026?locale=en',
      'statement/2026?locale=es',
    ];
    const folder = await mkdtemp(join(tmpdir(), 'svc-pdf-'));
    for (const [index, path] of paths.entries()) {
      await writeFile(join(folder, `${index}.pdf`), (await pdfOf(tenant, path)).bytes);
    }
    const { stdout } = await promisify(execFile)(verapdf ?? '', [
      '--flavour',
      'ua1',
      '--format',
      'text',
      folder,
    ]);
    const results = stdout.trim().split('\n');
    expect(results.map((it) => it.split(' ')[0])).toEqual(paths.map(() => 'PASS'));
    await rm(folder, { recursive: true });
  },
);
