import type {
  ExchangeOutput,
  HostedInput,
  LeaveOutput,
  LinkCodeOutput,
  LinkConfirmOutput,
  Locale,
  Step,
} from '@svc/contract';
import { productVariants } from '@svc/contract';
import { bigint, json, nullable, oneOf, row, sql, text } from '@svc/db';
import type { Ctx, RequestSteps } from '../../context.ts';
import { newId } from '../../ids.ts';
import { wordsByLocale } from '../../words/words-by-locale.ts';
import type { AnyoneActor, PartnerActor, TenantActor } from '../access/actor.ts';
import {
  checkLinkCode,
  createHostedLink,
  type HostedLink,
  lockHostedLink,
  newLinkCode,
  revokeHostedLinks,
  useHostedLink,
} from '../access/hosted-links.ts';
import { findHostedSession, signResult } from '../access/hosted-results.ts';
import { insertCodeMail } from '../mail/insert-mails.ts';
import { isOriginAllowed, readAllowedOrigins } from '../partners/allowed-origins.ts';
import { Refusal } from '../refusal.ts';
import { openPersonal, storedPersonal, storedPersonalSchema } from '../tenants/personal-data.ts';
import type { Tenant } from '../tenants/tenant.ts';
import { isSimulated } from '../tenants/time.ts';
import { composeText } from '../texts/compose-text.ts';
import { enterExperience } from './enter-experience.ts';

/**
 * Refuses an address that is not the portal's, because a result is added to it and the tenant trusts it.
 * @throws Refusal `validation_failed`
 */
export async function checkReturnUrl(
  ctx: Ctx<PartnerActor>,
  { return_url }: Pick<HostedInput, 'return_url'>,
): Promise<void> {
  if (return_url === undefined) return;
  const { allowed_origins, app_schemes } = await readAllowedOrigins(ctx);
  const { protocol, origin } = new URL(return_url);
  const isPage = protocol === 'https:' || protocol === 'http:';
  const { environment } = ctx.service;
  const isAllowed = isPage
    ? isOriginAllowed(allowed_origins, origin, environment)
    : isOriginAllowed(app_schemes, protocol.slice(0, -1), environment);
  if (isAllowed) return;
  const which = isPage
    ? `the origin ${origin} to allowed_origins`
    : `"${protocol.slice(0, -1)}" to app_schemes`;
  throw new Refusal('validation_failed', {
    param: 'hosted.return_url',
    message: `hosted.return_url must lead to your portal: add ${which} with PUT /v1/partner/allowed_origins.`,
  });
}

/** Creates the link that portal_info asked for. */
export function createLinkOf(
  ctx: Ctx<PartnerActor>,
  { id: tenantId, productVariant }: Pick<Tenant, 'id' | 'productVariant'>,
  hosted: HostedInput,
): Promise<{ url: string; expiresAt: Date }> {
  const { partnerId, pms, credentialId: keyId } = ctx.actor;
  return createHostedLink(
    ctx,
    {
      partnerId,
      tenantId,
      pms,
      keyId,
      variant: productVariant,
      returnUrl: hosted.return_url ?? null,
    },
    hosted,
  );
}

/** Opens the experience with a link for a tap in the portal, where the tenant is signed in. */
export async function openRedirectLink(
  ctx: Ctx,
  input: { readonly link: string; readonly nonce: string },
): Promise<ExchangeOutput> {
  const link = await lockHostedLink(ctx, input);
  if (link.use === 'message') {
    throw new Refusal('token_invalid', {
      message: 'This link came in a message, so it needs the code that we send.',
    });
  }
  return openLink(ctx, link, input);
}

async function openLink(
  ctx: Ctx,
  link: HostedLink,
  { nonce }: { readonly nonce: string },
): Promise<ExchangeOutput> {
  return enterExperience(ctx, await useHostedLink(ctx, link, { nonce }), 'full');
}

const addresseeRow = row('tenant of a code', {
  personal: json(storedPersonalSchema),
  productVariant: nullable(oneOf(...productVariants)),
  clockOffsetMs: nullable(bigint),
});

/**
 * Sends the code of a link that came in a message. If the tenant has both a mail address and a phone, it uses
 * the channel that the message did not use, so that access to one mailbox or one phone is not enough.
 */
export async function sendLinkCode(
  steps: RequestSteps<AnyoneActor>,
  input: { readonly link: string; readonly locale: Locale },
): Promise<LinkCodeOutput> {
  const prepared = await steps.step((ctx) => prepareCode(ctx, input));
  if (prepared === null) return { sent_to: null, problem: 'too_many' };
  if (prepared.kind === 'email') return { sent_to: 'email', problem: null };
  const outcome = await prepared.send();
  if (outcome.kind === 'accepted' || outcome.kind === 'unknown') {
    return { sent_to: 'text', problem: null };
  }
  steps.log.warn({ link_id: prepared.linkId, reason: outcome.reason }, 'code not sent');
  return { sent_to: null, problem: 'unavailable' };
}

async function prepareCode(
  ctx: Ctx<AnyoneActor>,
  input: { readonly link: string; readonly locale: Locale },
) {
  const { tx, now, service } = ctx;
  const link = await lockHostedLink(ctx, input);
  const { partnerId, tenantId } = link;
  const code = await newLinkCode(ctx, link);
  if (code === null) return null;
  const tenant = await tx.maybe(
    addresseeRow,
    sql`
    select ${storedPersonal} as personal, t.product_variant, t.clock_offset_ms from tenant t
    where t.partner_id = ${partnerId} and t.id = ${tenantId}`,
  );
  const personal = tenant && openPersonal(service.vault, tenantId, tenant.personal);
  if (!tenant || !personal) throw new Refusal('token_invalid');
  const number = personal.phoneNumber;
  const sender = service.texts?.sender;
  const simulated = isSimulated(tenant);
  const mayText = sender !== undefined && (!simulated || sender.takesSimulated);
  if (link.sentBy === 'email' && number !== null && mayText) {
    const words = wordsByLocale[input.locale].texts;
    const text = {
      id: newId('txc', now),
      to: number,
      body: composeText(service.creditor, words.linkCode(code)),
      validForSeconds: 600,
      statusUrl: null,
      date: now,
    };
    return { kind: 'text', linkId: link.id, send: () => sender.send(text) } as const;
  }
  await insertCodeMail(ctx, {
    partnerId,
    tenantId,
    productVariant: tenant.productVariant ?? 'rent',
    simulated,
    code,
  });
  return { kind: 'email' } as const;
}

/** Opens the experience with a link that came in a message and the code that we sent. */
export async function openMessageLink(
  ctx: Ctx,
  input: { readonly link: string; readonly code: string; readonly nonce: string },
): Promise<LinkConfirmOutput> {
  const link = await lockHostedLink(ctx, input);
  // The page repeats a call whose response was lost. The code was right the first time, and is gone now.
  const problem = link.openedAt === null ? await checkLinkCode(ctx, link, input.code) : null;
  if (problem !== null) return { opened: null, problem };
  return { opened: await openLink(ctx, link, input), problem: null };
}

const planRow = row('plan made on our page', { id: text });
const tenantRow = row('tenant who leaves', { externalId: text, returnUrl: nullable(text) });

/** Returns the address to which the tenant leaves our page, with the signed result; null if the portal gave none. */
export async function leaveHosted(
  ctx: Ctx<TenantActor>,
  { last_step }: { readonly last_step: Step },
): Promise<LeaveOutput> {
  const { tx, actor } = ctx;
  const session = await findHostedSession(ctx);
  if (!session) throw new Refusal('step_not_allowed', { message: 'This is not a hosted page.' });
  const { partnerId, tenantId } = actor;
  const tenant = await tx.one(
    tenantRow,
    sql`
    select external_id, return_url from tenant
    where partner_id = ${partnerId} and id = ${tenantId}`,
  );
  const address = session.returnUrl ?? tenant.returnUrl;
  if (address === null) return { url: null };
  const plan = await tx.maybe(
    planRow,
    sql`
    select id from plan
    where partner_id = ${partnerId} and tenant_id = ${tenantId} and state <> 'canceled'
      and created_at >= ${session.openedAt}
    order by created_at desc limit 1`,
  );
  const result = await signResult(ctx, session, {
    external_id: tenant.externalId,
    reason: plan ? 'completed' : 'dismissed',
    last_step,
    plan_id: plan?.id ?? null,
  });
  const url = new URL(address);
  url.searchParams.set('svc_result', result);
  return { url: url.href };
}

const namedRow = row('tenant whose links end', { id: text });

/** Turns off the links of a tenant, and ends the sessions that they opened. */
export async function revokeLinksOf(
  ctx: Ctx<PartnerActor>,
  { external_id }: { readonly external_id: string },
): Promise<{ revoked: number }> {
  const { partnerId } = ctx.actor;
  const tenant = await ctx.tx.maybe(
    namedRow,
    sql`select id from tenant where partner_id = ${partnerId} and external_id = ${external_id}`,
  );
  if (!tenant) throw new Refusal('tenant_not_found');
  return { revoked: await revokeHostedLinks(ctx, { partnerId, tenantId: tenant.id }) };
}
