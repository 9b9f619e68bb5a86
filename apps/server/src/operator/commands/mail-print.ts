import { json, nullable, row, sql, text } from '@svc/db';
import { z } from 'zod';
import type { Ctx } from '../../context.ts';
import { defaultBrand } from '../../domain/mail/brand.ts';
import { loadLetters } from '../../domain/mail/claim.ts';
import { composePaper } from '../../domain/mail/compose.ts';
import { signerOf } from '../../domain/offers/disclosure.ts';
import { partnerOf } from '../../domain/operators/partner-of.ts';
import { Refusal } from '../../domain/refusal.ts';
import type { Lease } from '../../domain/tenants/tenant.ts';
import { argument, defineCommand } from '../command.ts';

export const mailPrint = defineCommand({
  name: 'mail print',
  summary: 'print a mail as a letter, to send on paper',
  input: { mail_id: argument('<mail id>') },
  // A letter is personal data, so reading it is recorded.
  effect: 'control',
  console: { needs: 'support', partner: 'mail_id' },
  async run(ctx, { mail_id }) {
    const { partner_id, ...letter } = await readLetter(ctx, mail_id);
    await ctx.record(partner_id, { action: 'mail.printed', subject_id: mail_id });
    return letter;
  },
  describe: ({ letter }) => letter,
});

const addressedRow = row('mail with its tenant', {
  partner_id: text,
  lease: nullable(json(z.custom<Lease>((value) => typeof value === 'object'))),
});

async function readLetter(ctx: Ctx, mailId: string) {
  const partnerId = await partnerOf(ctx.tx, { subject: 'mail_id', id: mailId });
  const found = await ctx.tx.maybe(
    addressedRow,
    sql`
    select m.partner_id, t.lease from mail m
    join tenant t on t.partner_id = m.partner_id and t.id = m.tenant_id
    where m.partner_id = ${partnerId} and m.id = ${mailId}`,
  );
  const [letter] = found
    ? await loadLetters(ctx, [{ partnerId: found.partner_id, id: mailId }])
    : [];
  if (!found || !letter) {
    throw new Refusal('not_found', {
      message: `There is no mail ${mailId}. "svc-admin mail list" shows the ids of mails.`,
    });
  }
  const brand = defaultBrand({ name: letter.portal, pms: letter.pms });
  const { home } = signerOf(null, found.lease);
  const { creditor } = ctx.service;
  return { partner_id: found.partner_id, letter: composePaper(letter, { creditor, brand, home }) };
}
