import type { SecretsOutput } from '@svc/contract/operator';
import { instant, nullable, oneOf, row, sql, text } from '@svc/db';
import type { Ctx } from '../../context.ts';
import type { OperatorActor } from '../access/actor.ts';
import { isLiveKey } from '../access/find-key.ts';
import { installation } from '../audit/record.ts';
import { visiblePartners } from './visible-partners.ts';

const mostSecrets = 200;

const secretRow = row('secret with its age', {
  kind: oneOf('api_key', 'webhook_secret'),
  owner: text,
  id: text,
  name: text,
  created_at: instant,
  last_used_at: nullable(instant),
});

/** Reads how old the secrets in use are: the service's keys, API keys and secrets that sign webhooks. */
export async function readSecrets(ctx: Ctx<OperatorActor>): Promise<SecretsOutput> {
  const { tx, now, actor } = ctx;
  const partners = await visiblePartners(tx, actor);
  const ids = [...partners.keys()];
  const secrets = await tx.many(
    secretRow,
    sql`
    /* many rows: the oldest secrets of all partners */
    (select 'api_key' as kind, k.partner_id as owner, k.id,
        coalesce(k.name, 'API key') || coalesce(' …' || k.ends_with, '') as name, k.created_at,
        k.last_used_at
      from api_key k where k.partner_id = any(${ids}::text[]) and ${isLiveKey(now)}
      order by k.created_at limit ${mostSecrets})
    union all
    (select 'webhook_secret', e.owner, e.id, e.url, s.created_at, null
      from webhook_secrets s
        join webhook_endpoints e on e.owner = s.owner and e.id = s.endpoint_id
      where s.owner = any(${ids}::text[]) and s.expires_at is null and e.state <> 'deleted'
      order by s.created_at limit ${mostSecrets})
    order by created_at, id limit ${mostSecrets}`,
  );
  return {
    runbook: `${ctx.service.publicOrigin}/docs/operate/secret-keys`,
    secret_key: actor.partners === null ? await readSecretKey(ctx) : null,
    items: secrets.map(({ owner, created_at, last_used_at, ...it }) => ({
      ...it,
      pms: partners.get(owner) ?? '',
      created_at: created_at.toISOString(),
      last_used_at: last_used_at?.toISOString() ?? null,
    })),
  };
}

const secretKeyRow = row('age of the secret key', {
  replaced_at: nullable(instant),
  first_used_at: nullable(instant),
});

async function readSecretKey({ tx, service }: Ctx): Promise<SecretsOutput['secret_key']> {
  const { replaced_at, first_used_at } = await tx.one(
    secretKeyRow,
    sql`
    /* many rows: the operator's entries of 400 days */
    select (select max(e.occurred_at) from audit_entry e
        where e.partner_id = ${installation} and e.action = 'vault.rotated') as replaced_at,
      (select min(p.created_at) from partner p) as first_used_at`,
  );
  return {
    keys: service.vault.fingerprints.length,
    replaced_at: replaced_at?.toISOString() ?? null,
    first_used_at: first_used_at?.toISOString() ?? null,
  };
}
