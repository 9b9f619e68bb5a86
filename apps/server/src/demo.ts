import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DemoFiles, demoResidents, startDemo } from '@svc/demo-portal';
import { createEndpoint, listEndpoints, revealSecret, updateEndpoint } from '@svc/webhooks';
import type { Ctx } from './context.ts';
import { keyActor, type PartnerActor } from './domain/access/actor.ts';
import { setAllowedOrigins } from './domain/partners/allowed-origins.ts';
import { setAppearance } from './domain/partners/appearance.ts';
import { findPartnerByPms } from './domain/partners/find-partner.ts';
import type { Started } from './main.ts';
import { runAsSystem, seedPartner } from './seed-partner.ts';
import { type Config, ConfigError } from './service-settings.ts';

const pms = 'maple';
const webhookPath = '/webhooks/svc';

export interface RunningDemo {
  readonly origin: string;
  /** Opens the docs with the demo partner's key in the samples. It works once. */
  readonly docs: string;
  /** Path of `demo.json`, which holds origins, keys and ids for scripts. */
  readonly notes: string;
  close(): Promise<void>;
}

/** Creates the demo partner if it is missing, starts its portal and writes `demo.json`. */
export async function startDemoPortal(
  started: Started,
  config: Pick<Config, 'demoPort' | 'dataDir'> & { readonly demoHost?: string },
  files?: DemoFiles,
): Promise<RunningDemo> {
  const baseUrl = `${started.origin}/v1`;
  const apiKey = await runAsSystem(started, seedDemoPartner);
  const endpoint = { id: '' };
  const demo = await startDemo({
    port: config.demoPort,
    host: config.demoHost ?? '127.0.0.1',
    service: { origin: started.origin, baseUrl },
    apiKey,
    pms,
    signingSecret: () => secretOf(started, endpoint.id),
    now: started.commands.clock.now,
    ...(files && { files }),
  }).catch((error: unknown) => {
    throw error instanceof Error ? new ConfigError(error.message, { cause: error }) : error;
  });
  try {
    endpoint.id = await runAsSystem(started, (ctx) => pointAtPortal(ctx, demo.origin));
    const notes = join(config.dataDir, 'demo.json');
    const content = {
      service_origin: started.origin,
      base_url: baseUrl,
      demo_origin: demo.origin,
      pms,
      api_key: apiKey,
      webhook_endpoint_id: endpoint.id,
      signing_secret: await secretOf(started, endpoint.id),
      tenants: demoResidents.map(({ id, firstName, lastName, shows }) => ({
        id,
        name: `${firstName} ${lastName}`,
        shows,
      })),
      pid: process.pid,
    };
    await writeFile(notes, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
    const docs = started.docsLink({ pms, api_key: apiKey });
    return { origin: demo.origin, docs, notes, close: demo.close };
  } catch (error) {
    await demo.close();
    throw error;
  }
}

async function seedDemoPartner(ctx: Ctx): Promise<string> {
  const isNew = (await findPartnerByPms(ctx.tx, pms)) === undefined;
  const apiKey = await seedPartner(ctx, { pms, name: 'Maple Residents' });
  // The portal's accent color, a rust, for mails and for links outside of the portal. In the portal, the widget
  // sends it.
  const brand = { accent: '#9a3412', radius: null, font: null, theme: 'auto' } as const;
  if (isNew) await setAppearance(await asPartner(ctx), brand);
  return apiKey;
}

/**
 * Sets the partner's endpoint and allowed origin to the portal's address, which changes with its
 * port. Returns the endpoint's id.
 */
async function pointAtPortal(ctx: Ctx, origin: string): Promise<string> {
  const partnerCtx = await asPartner(ctx);
  const { partnerId } = partnerCtx.actor;
  await setAllowedOrigins(partnerCtx, { allowed_origins: [origin] });
  const deps = { vault: ctx.service.vault, policy: ctx.service.webhookPolicy };
  const url = origin + webhookPath;
  const endpoints = await listEndpoints(ctx.tx, partnerId);
  const existing = endpoints.find((endpoint) => new URL(endpoint.url).pathname === webhookPath);
  if (!existing) {
    const input = { url, description: 'Maple Residents, the demo portal' };
    return (await createEndpoint(ctx.tx, deps, partnerId, input, ctx.now)).id;
  }
  if (existing.url !== url) {
    await updateEndpoint(ctx.tx, deps, partnerId, existing.id, { url }, ctx.now);
  }
  return existing.id;
}

/** Returns the context of a call that the demo partner makes, as if it had used its key. */
async function asPartner(ctx: Ctx): Promise<Ctx<PartnerActor>> {
  const partner = await findPartnerByPms(ctx.tx, pms);
  if (!partner) throw new Error('The demo partner does not exist.');
  const actor: PartnerActor = keyActor({ partnerId: partner.id, pms, credentialId: 'demo' });
  return { ...ctx, actor };
}

async function secretOf({ db, service, commands }: Started, endpointId: string): Promise<string> {
  const partner = await findPartnerByPms(db, pms);
  const now = commands.clock.now();
  return (await revealSecret(db, service, partner?.id ?? '', endpointId, now)).secret;
}
