import { z } from 'zod';
import { appScheme } from '../app-scheme.ts';
import { exampleIds, extensible, field, loggedField, named } from '../describe-schema.ts';
import { externalId, instant } from '../primitives.ts';
import { steps } from '../vocabulary.ts';

const minuteSeconds = 60;
/** The longest lifetime of a link for a tap in the portal's app, in seconds. */
const redirectSeconds = 10 * minuteSeconds;
/** The longest lifetime of a link in a message, in seconds. */
const messageSeconds = 72 * 60 * minuteSeconds;

/** An http(s) page, or an address of the portal's app: `com.example.app://paid`. */
const returnAddress = z
  .url({
    error: 'must be an http(s) URL or an address of your app, such as com.example.app://rent',
  })
  .max(2048)
  .refine((url) => /^https?:/i.test(url) || appScheme.safeParse(url.split(':', 1)[0]).success, {
    error: 'must be an http(s) URL or an address of your app, such as com.example.app://rent',
  });

/** Asks portal_info for a page of ours that opens the experience without the widget. */
export const hostedInput = named(
  'HostedInput',
  'A page of ours that opens the experience once, without the widget.',
  z
    .strictObject({
      use: loggedField(
        z.enum(['redirect', 'message']).default('redirect'),
        '`redirect`: for a tap in your app or portal, where the tenant is signed in. `message`: for an email, a text message or a QR code. It shows nothing personal until the tenant has entered a code that we send.',
        'redirect',
      ),
      sent_by: loggedField(
        z.enum(['email', 'text']).default('email'),
        'How you send a link for `message`. The code goes to the other of the two where the tenant has both.',
        'email',
      ),
      return_url: field(
        returnAddress.optional(),
        'Where the tenant goes when they leave: a page at one of your allowed origins, or an address of your app with one of its registered schemes. Default: `return_url` of portal_info.',
        'https://portal.example/rent/done',
      ),
      expires_in: loggedField(
        z.int().min(minuteSeconds).max(messageSeconds).optional(),
        `How many seconds the link works, at most ${redirectSeconds} (10 minutes) for \`redirect\` and ${messageSeconds} (72 hours) for \`message\`, which are also the defaults.`,
        redirectSeconds,
      ),
    })
    .refine(({ use, expires_in = 0 }) => use === 'message' || expires_in <= redirectSeconds, {
      path: ['expires_in'],
      error: `must be at most ${redirectSeconds} for a redirect; a link for a message works longer`,
    })
    .transform((input) => ({
      ...input,
      expires_in: input.expires_in ?? (input.use === 'message' ? messageSeconds : redirectSeconds),
    })),
);
export type HostedInput = z.output<typeof hostedInput>;

export const revokedUrlsOutput = named(
  'RevokedExperienceUrls',
  'The links of a tenant that no longer work.',
  z.object({
    revoked: field(z.int(), 'Links that worked until now. Their open sessions have ended, too.', 1),
  }),
);

export const experienceResultInput = named(
  'ExperienceResultInput',
  'The result with which the tenant came back.',
  z.strictObject({
    result: field(
      z.string().min(1).max(2000),
      'The parameter `svc_result` of the address that the tenant came back to.',
      'eyJpZCI6InJlc18wMWs1In0.5f2b',
    ),
  }),
);

export const experienceResult = named(
  'ExperienceOutcome',
  'What a tenant did on our page.',
  z.object({
    id: field(z.string(), 'Id of the result. Each is used once.', exampleIds.result),
    external_id: externalId,
    reason: field(
      extensible(z.enum(['completed', 'dismissed'])),
      '`completed`: a plan was made. The webhooks report everything else.',
      'completed',
    ),
    last_step: field(extensible(z.enum(steps)), 'The screen that the tenant left.', 'done'),
    plan_id: field(z.string().nullable(), 'The plan that was made.', exampleIds.plan),
    expires_at: field(instant, 'Until then the result can be used.', '2026-02-01T18:10:00.000Z'),
  }),
);
export type ExperienceResult = z.infer<typeof experienceResult>;
