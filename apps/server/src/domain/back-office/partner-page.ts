import { keyScopes } from '@svc/contract';
import type {
  ControlsOutput,
  OperatorPartnerEndpoint,
  OperatorPartnerKey,
  OperatorPartnerOutput,
  OperatorPartnersOutput,
} from '@svc/contract/operator';
import { bigint, boolean, instant, listOf, nullable, oneOf, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { OperatorActor } from '../access/actor.ts';
import { isLiveKey } from '../access/find-key.ts';
import { readMoney } from '../controls/money-switch.ts';
import { listPauses } from '../controls/pauses.ts';
import { ofVisiblePartners, requirePartner } from '../operators/partners-of.ts';
import { findFile, readAppearance } from '../partners/appearance.ts';
import { visiblePartners } from './visible-partners.ts';

const partnerRow = row('partner of a list', {
  id: text,
  pms: text,
  name: text,
  created_at: instant,
  live_keys: bigint,
  last_used_at: nullable(instant),
});

const endpointsRow = row('endpoints of a partner', {
  owner: text,
  count: bigint,
  failing: bigint,
});

/** The partners that the operator may see, by the name of the portal. */
export async function readPartners(ctx: Ctx<OperatorActor>): Promise<OperatorPartnersOutput> {
  const { tx, now, actor } = ctx;
  const [partners, endpoints] = await Promise.all([
    tx.many(
      partnerRow,
      sql`
      /* many rows: a list of all partners */
      select p.id, p.pms, p.name, p.created_at,
        count(k.id) filter (where ${isLiveKey(now)}) as live_keys,
        max(k.last_used_at) as last_used_at
      from partner p left join api_key k on k.partner_id = p.id
      where ${ofVisiblePartners(actor, sql`p.id`)}
      group by p.id order by p.pms`,
    ),
    tx.many(
      endpointsRow,
      sql`
      /* many rows: a list of all partners */
      select e.owner, count(*) as count, count(e.failing_since) as failing
      from webhook_endpoints e
      where e.state <> 'deleted' and ${ofVisiblePartners(actor, sql`e.owner`)}
      group by e.owner`,
    ),
  ]);
  const byOwner = new Map(endpoints.map((it) => [it.owner, it]));
  return {
    items: partners.map(({ id, created_at, last_used_at, ...it }) => ({
      ...it,
      created_at: created_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
      endpoints: byOwner.get(id)?.count ?? 0,
      failing_endpoints: byOwner.get(id)?.failing ?? 0,
    })),
  };
}

const createdRow = row('when a partner was created', { created_at: instant });

/** Reads what an operator must know of a partner to help it: keys, endpoints, origins and brand. */
export async function readPartnerPage(
  ctx: Ctx<OperatorActor>,
  { pms }: { readonly pms: string },
): Promise<OperatorPartnerOutput> {
  const { tx, actor, service } = ctx;
  const { id, name, allowedOrigins } = await requirePartner(tx, actor, pms);
  const [{ created_at }, keys, endpoints, appearance] = await Promise.all([
    tx.one(createdRow, sql`select created_at from partner where id = ${id}`),
    readKeys(ctx, id),
    readEndpoints(ctx, id),
    readBrand(ctx, id),
  ]);
  return {
    pms,
    name,
    id,
    created_at: created_at.toISOString(),
    environment: service.environment,
    allowed_origins: allowedOrigins,
    keys,
    endpoints,
    appearance,
  };
}

const keyRow = row('key of a partner’s page', {
  id: text,
  name: nullable(text),
  ends_with: nullable(text),
  scopes: listOf(oneOf(...keyScopes)),
  created_at: instant,
  last_used_at: nullable(instant),
  expires_at: nullable(instant),
  revoked_at: nullable(instant),
  link_expires_at: nullable(instant),
  link_opened_at: nullable(instant),
  is_live: boolean,
});

const mostKeys = 100;

async function readKeys(
  { tx, now }: Ctx<OperatorActor>,
  partnerId: string,
): Promise<OperatorPartnerKey[]> {
  const keys = await tx.many(
    keyRow,
    sql`
    select k.id, k.name, k.ends_with, k.scopes, k.created_at, k.last_used_at, k.expires_at, k.revoked_at,
      k.link_expires_at, k.link_opened_at, ${isLiveKey(now)} as is_live
    from api_key k where k.partner_id = ${partnerId}
    order by is_live desc, k.id desc limit ${mostKeys}`,
  );
  return keys.map(({ is_live, link_expires_at, link_opened_at, ...key }) => ({
    ...key,
    created_at: key.created_at.toISOString(),
    last_used_at: key.last_used_at?.toISOString() ?? null,
    expires_at: key.expires_at?.toISOString() ?? null,
    revoked_at: key.revoked_at?.toISOString() ?? null,
    state: !is_live ? 'revoked' : key.expires_at === null ? 'live' : 'expiring',
    link: link_expires_at && {
      expires_at: link_expires_at.toISOString(),
      opened_at: link_opened_at?.toISOString() ?? null,
    },
  }));
}

const endpointRow = row('endpoint of a partner’s page', {
  id: text,
  url: text,
  description: nullable(text),
  state: oneOf('enabled', 'disabled'),
  disabled_reason: nullable(text),
  failing_since: nullable(instant),
  secret_created_at: nullable(instant),
});

async function readEndpoints(
  { tx }: Ctx<OperatorActor>,
  partnerId: string,
): Promise<OperatorPartnerEndpoint[]> {
  const endpoints = await tx.many(
    endpointRow,
    sql`
    select e.id, e.url, e.description, e.state, e.disabled_reason, e.failing_since,
      s.created_at as secret_created_at
    from webhook_endpoints e
      left join webhook_secrets s
        on s.owner = e.owner and s.endpoint_id = e.id and s.expires_at is null
    where e.owner = ${partnerId} and e.state <> 'deleted'
    order by e.failing_since nulls last, e.id`,
  );
  return endpoints.map(({ failing_since, secret_created_at, ...it }) => ({
    ...it,
    failing_since: failing_since?.toISOString() ?? null,
    secret_created_at: secret_created_at?.toISOString() ?? null,
  }));
}

async function readBrand(
  { tx }: Ctx<OperatorActor>,
  id: string,
): Promise<OperatorPartnerOutput['appearance']> {
  const { accent, radius, font, theme, logo, font_file } = await readAppearance(tx, id);
  const file = logo && (await findFile(tx, id, logo.url.split('/').at(-1) ?? ''));
  return {
    accent,
    radius,
    font,
    theme,
    logo:
      logo && file
        ? { ...logo, url: `data:image/png;base64,${file.bytes.toString('base64')}` }
        : null,
    has_font_file: font_file !== null,
  };
}

/** The money switch, and the pauses of one partner or of all that the operator may see. */
export async function readControls(
  { tx, actor, service }: Ctx<OperatorActor>,
  { pms }: { readonly pms?: string | undefined },
): Promise<ControlsOutput> {
  if (pms !== undefined) await requirePartner(tx, actor, pms);
  const [money, pauses, visible] = await Promise.all([
    readMoney(tx),
    listPauses(tx, pms === undefined ? {} : { pms }),
    visiblePartners(tx, actor),
  ]);
  const names = new Set(visible.values());
  return {
    runbook: `${service.publicOrigin}/docs/operate/controls#stop-all-money`,
    money,
    pauses: pauses.filter((it) => names.has(it.pms)),
  };
}
