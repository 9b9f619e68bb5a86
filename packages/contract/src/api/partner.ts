import { z } from 'zod';
import { appScheme } from '../app-scheme.ts';
import { exampleIds, field, loggedField, named } from '../describe-schema.ts';
import {
  environment,
  externalId,
  instant,
  origin,
  pms,
  queryBoolean,
  visibleText,
} from '../primitives.ts';
import { portalViews } from '../vocabulary.ts';
import { keyScope } from './api-keys.ts';

export const partnerOutput = named(
  'Partner',
  'The partner that the API key belongs to.',
  z.object({
    pms: field(pms, 'The name of your portal, as in the widget’s setting `pms`.', 'my-portal'),
    environment: field(
      environment,
      'The environment of this service and of its API keys.',
      'sandbox',
    ),
    scopes: field(z.array(keyScope), 'What the key of this call may do.', ['everything']),
  }),
);
export type PartnerOutput = z.infer<typeof partnerOutput>;

/** The part of the portal that a link opens. `admin` includes `webhooks`. */
export const portalScopes = ['webhooks', 'admin'] as const;
export const portalScope = z.enum(portalScopes);
export type PortalScope = z.infer<typeof portalScope>;

export const allowedOriginsInput = named(
  'AllowedOriginsInput',
  'The pages that may show the widget.',
  z.strictObject({
    allowed_origins: loggedField(
      z.array(origin).max(20),
      'Exact origins: scheme, host and port, without a path. Replaces the stored list. While it is empty, the sandbox accepts every origin.',
      ['https://portal.example'],
    ),
    app_schemes: loggedField(
      z.array(appScheme).max(10).optional(),
      'Schemes of your app, to which the tenant can return from our page. Left out: the stored list stays.',
      ['com.example.app'],
    ),
  }),
);
export const allowedOriginsOutput = named(
  'AllowedOrigins',
  'The pages that may show the widget.',
  z.object({
    allowed_origins: field(z.array(z.string()), 'Exact origins.', ['https://portal.example']),
    app_schemes: field(z.array(z.string()), 'Schemes of your app.', ['com.example.app']),
  }),
);
export type AllowedOriginsOutput = z.infer<typeof allowedOriginsOutput>;

export const webhookPortalUrlQuery = z.strictObject({
  scope: loggedField(
    portalScope.optional(),
    '`webhooks`: endpoints, messages and replays. `admin`: also the request log, API keys, allowed origins, tenants and settlements. Default: `webhooks`.',
    'admin',
  ),
  read_only: loggedField(
    queryBoolean.optional(),
    '`true` for a session that can change nothing and read no secret.',
    'true',
  ),
  person: field(
    visibleText(100).optional(),
    'The person the link is for, such as a name. Appears in the audit log.',
    'Sam Ortiz',
  ),
});
export const webhookPortalUrlOutput = named(
  'WebhookPortalLink',
  'A link to the console.',
  z.object({
    url: field(
      z.string(),
      'Redirect the person to it. It works once, within 10 minutes; the session then lasts up to 24 hours, or 30 minutes without use.',
      'https://sandbox.svc.example/portal#pl_3f9c2a7d5e',
    ),
  }),
);
export const portalView = z.enum(portalViews);

const shortestTokenSeconds = 120;
const longestTokenSeconds = 3600;
const tokenSeconds = 900;

export const portalTokenInput = named(
  'PortalTokenInput',
  'A token for one view of the console, in a frame on a page of your back office.',
  z
    .strictObject({
      view: loggedField(
        portalView,
        '`settlements`: what we owe you. `tenant_plan`: one tenant with their plan. `webhooks`: endpoints, messages and replays, without signing secrets.',
        'tenant_plan',
      ),
      external_id: loggedField(
        externalId.optional(),
        'The tenant, for the view `tenant_plan` only.',
        't-100',
      ),
      read_only: loggedField(
        z.boolean().default(true),
        'Pass false so that the person can also change what the view shows. `tenant_plan` changes nothing.',
        true,
      ),
      expires_in: loggedField(
        z.int().min(shortestTokenSeconds).max(longestTokenSeconds).default(tokenSeconds),
        `How many seconds the token works. The component gets a new one before that. Default: ${tokenSeconds} (15 minutes).`,
        tokenSeconds,
      ),
      person: field(
        visibleText(100).optional(),
        'Who looks at the page, such as a name. Appears in the audit log.',
        'Sam Ortiz',
      ),
    })
    .superRefine(({ view, external_id, read_only }, context) => {
      const refuse = (param: string, message: string) => {
        context.addIssue({ code: 'custom', path: [param], message });
      };
      const isOfTenant = view === 'tenant_plan';
      if (isOfTenant && external_id === undefined) {
        refuse('external_id', 'is missing: the view tenant_plan shows one tenant');
      }
      if (!isOfTenant && external_id !== undefined) {
        refuse('external_id', `is for the view tenant_plan: the view ${view} is not of one tenant`);
      }
      if (isOfTenant && !read_only) {
        refuse('read_only', 'must be true for the view tenant_plan, which changes nothing');
      }
    }),
);
export type PortalTokenInput = z.infer<typeof portalTokenInput>;
export const portalTokenOutput = named(
  'PortalToken',
  'A token for one view of the console.',
  z.object({
    token: field(
      z.string(),
      'Return it to the component’s `getToken`. It reaches this view only.',
      'svc_pt_3f9c2a7d5e',
    ),
    expires_at: field(instant, 'When the token expires.', '2026-02-01T18:15:00.000Z'),
    view: field(portalView, 'The view that it reaches.', 'tenant_plan'),
    external_id: field(
      z.string().nullable(),
      'The tenant that it reaches. Null for the other views.',
      't-100',
    ),
    read_only: field(z.boolean(), 'False if it can also change what the view shows.', true),
  }),
);
export type PortalTokenOutput = z.infer<typeof portalTokenOutput>;

export const revokedOutput = named(
  'RevokedSessions',
  'How many sessions were ended.',
  z.object({
    revoked: field(z.int(), 'The number of console sessions that were ended.', 2),
    api_keys: field(
      z.array(
        named(
          'KeyOfSession',
          'An API key that was created in a session of the console.',
          z.object({
            id: field(z.string(), 'Id of the key.', exampleIds.key),
            name: field(z.string().nullable(), 'Its name.', 'Billing backend'),
          }),
        ),
      ),
      'API keys that were created in these sessions and still work. Revoke those that you do not know.',
      [],
    ),
  }),
);
export type RevokedSessionsOutput = z.infer<typeof revokedOutput>;
