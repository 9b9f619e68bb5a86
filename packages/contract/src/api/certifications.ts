import { z } from 'zod';
import { exampleIds, extensible, field, loggedField, named } from '../describe-schema.ts';
import { externalId, instant, listByIdQuery, productVariant, text } from '../primitives.ts';
import { doctorStatuses } from './doctor.ts';

/** The cases that the service runs, in the order to run them. `handshake` decides whether the others may run. */
export const serviceCaseNames = [
  'handshake',
  'raw_body',
  'altered_body',
  'old_timestamp',
  'rotated_secret',
  'unknown_type',
  'unknown_field',
  'large_body',
  'burst',
  'keep_alive',
  'compressed_answer',
  'test_mark',
  'stored_before_answer',
  'duplicates',
  'reordered',
  'late',
  'outage',
  'split',
  'settled',
  'declined',
  'first_payment_failed',
  'installment_failed',
  'past_due',
  'paid_off',
  'disputed',
  'charged_off',
  'moved_out',
  'debited_once',
  'reported',
  'report_repeated',
  'returned',
  'refunded',
  'daily_report',
] as const;
export type ServiceCaseName = (typeof serviceCaseNames)[number];

/** The cases of the partner's page, which only the CLI runs, with their titles. */
export const pageCases = {
  widget_shown: 'The page shows the widget',
  sizes: 'The widget fits on a phone and on a desktop',
  csp: 'The page’s policy allows the experience',
  signature: 'The widget’s signature is accepted',
  click_to_done: 'A tenant gets from the click to a plan',
  keyboard_only: 'A tenant gets there with the keyboard only',
  service_slow: 'The page works while the service is slow',
  service_down: 'The page works while the service is down',
  token_expired: 'An expired token is replaced',
  double_click: 'A double click opens one experience',
  language: 'The widget speaks the page’s language',
  key_in_page: 'No API key or signing secret is in the page',
} as const;
export type PageCaseName = keyof typeof pageCases;
export const pageCaseNames = Object.keys(pageCases) as [PageCaseName, ...PageCaseName[]];

export const certificationAreas = ['receiver', 'life', 'money', 'page'] as const;
export const certificationStates = [
  'running',
  'passed',
  'incomplete',
  'failed',
  'abandoned',
] as const;
export const caseStatuses = ['pending', ...doctorStatuses] as const;

/** The most bytes of a body that a step keeps. */
export const stepBodyBytes = 16 * 1024;
const mostSteps = 200;
const mostTenants = 20;

const stepHeaders = z.record(z.string().max(200), z.string().max(8_000));
const stepBody = z.string().max(stepBodyBytes).nullable();

const certificationStep = named(
  'CertificationStep',
  'One thing that a case did: mostly a request, and the response to it.',
  z.object({
    title: field(z.string().max(300), 'What was done.', 'settlement.created, a second time'),
    detail: field(
      z.string().max(2_000).nullable(),
      'What there is to say about it, such as the error of the network.',
      null,
    ),
    request: field(
      named(
        'CertificationRequest',
        'A request as it was sent.',
        z.object({
          method: field(z.string().max(10), 'The method.', 'POST'),
          url: field(z.string().max(2_048), 'The address.', 'https://portal.example/svc/webhooks'),
          headers: field(stepHeaders, 'The headers, with secrets redacted.', {
            'webhook-id': exampleIds.message,
          }),
          body: field(stepBody, 'The first 16 KiB of the body.', '{"type":"settlement.created"}'),
        }),
      ).nullable(),
      'The request. Null for a step that sent none.',
    ),
    response: field(
      named(
        'CertificationResponse',
        'A response as it was received.',
        z.object({
          status: field(z.int(), 'The status.', 204),
          headers: field(stepHeaders, 'The headers.', { 'content-length': '0' }),
          body: field(stepBody, 'The first 16 KiB of the body.', ''),
        }),
      ).nullable(),
      'The response. Null if there was none.',
    ),
    duration_in_ms: field(z.int().min(0).nullable(), 'How long it took.', 12),
  }),
);
export type CertificationStep = z.infer<typeof certificationStep>;

const summary = z.string().max(2_000).nullable();

export const certificationCase = named(
  'CertificationCase',
  'One case of a certification, and its result.',
  z.object({
    name: field(
      extensible(z.enum([...serviceCaseNames, ...pageCaseNames])),
      'The case. More cases may be added.',
      'duplicates',
    ),
    area: field(
      extensible(z.enum(certificationAreas)),
      '`receiver`: how your endpoint takes webhooks. `life`: whether you follow a plan from end to end. `money`: debits, returns and reports. `page`: your page, which only the CLI opens.',
      'receiver',
    ),
    title: field(
      z.string(),
      'What the case checks, for people.',
      'A repeated webhook is handled once',
    ),
    status: field(
      z.enum(caseStatuses),
      '`pending`: not run yet. `warn`: it works, and should be changed. `skipped`: it could not be run, and `summary` says why.',
      'fail',
    ),
    summary: field(summary, 'What was found. Null before the case has run.', 'You debited twice.'),
    cause: field(
      summary,
      'The likely mistake, of a case that failed or warns.',
      'Your receiver does not store the webhook-id of what it has handled.',
    ),
    fix: field(summary, 'What to do about it.', 'Store each webhook-id, and skip one you know.'),
    docs_url: field(
      z.string().max(2_048).nullable(),
      'The page of the documentation about it.',
      'https://sandbox.svc.example/docs/webhooks#a-receiver',
    ),
    steps: field(z.array(certificationStep).max(mostSteps), 'What the case did, in order.'),
    ran_at: field(instant.nullable(), 'When it last ran. Null before.', '2026-02-01T18:00:00.000Z'),
    duration_in_ms: field(z.int().min(0).nullable(), 'How long it ran.', 840),
    reported_by: field(
      z.enum(['service', 'cli']),
      '`cli`: the result was reported by the CLI, which ran the case in a browser. The service did not see it.',
      'service',
    ),
  }),
);
export type CertificationCaseOutput = z.infer<typeof certificationCase>;

const certificationFields = {
  id: field(z.string(), 'Id of the run.', exampleIds.certification),
  state: field(
    extensible(z.enum(certificationStates)),
    '`running` until you finish it. `failed`: a case failed. `incomplete`: none failed, and some were not run or could not be judged. `passed`: all passed, which a badge needs. `abandoned`: another run was started ten minutes or more after its last step.',
    'passed',
  ),
  verdict: field(
    z.string().nullable(),
    'The result in a sentence. Null before the run is finished.',
    '45 of 45 cases passed.',
  ),
  service_version: field(z.string(), 'The version of the service that ran it.', '0.3.0'),
  endpoint_id: field(z.string(), 'The endpoint that is certified.', exampleIds.endpoint),
  endpoint_url: field(
    z.string(),
    'Its address when the run began, without the query.',
    'https://portal.example/api/svc/webhooks',
  ),
  tenant_query_url: field(
    z.string().nullable(),
    'The address that returns your view of a tenant. Null if you gave none.',
    'https://portal.example/api/svc/tenant',
  ),
  product_variant: productVariant,
  tenants: field(
    z.array(z.string()),
    'Your own test tenants that it uses. Empty if it makes tenants of its own.',
    [],
  ),
  anyway: field(z.boolean(), 'As you passed it.', false),
  created_at: field(instant, 'When it began.', '2026-02-01T18:00:00.000Z'),
  last_step_at: field(instant, 'When a case last ran.', '2026-02-01T18:02:10.000Z'),
  finished_at: field(
    instant.nullable(),
    'When it was finished. Null before.',
    '2026-02-01T18:02:11.000Z',
  ),
};

export const certificationSummary = named(
  'CertificationSummary',
  'One run of the certification, without its cases.',
  z.object(certificationFields),
);
export type CertificationSummaryOutput = z.infer<typeof certificationSummary>;

export const certificationOutput = named(
  'Certification',
  'One run of the certification: what it checked, and what it found.',
  z.object({
    ...certificationFields,
    cases: field(z.array(certificationCase), 'All cases, in the order in which to run them.'),
    signed_report: field(
      named(
        'SignedReport',
        'The result, signed by the service. The signature is of the bytes of `payload`.',
        z.object({
          payload: field(
            z.string(),
            'JSON: the run, and the name, status and summary of each case.',
            '{"id":"crt_01k5z3w7c8d9e0f1g2h3j4k5m6","state":"passed"}',
          ),
          signature: field(
            z.string(),
            'The ed25519 signature of `payload`, as base64.',
            'FZ2mPq0gq3nqTzq1xw0p3yB1m1bq0fQv0s8kV9b3JbqZ0w7T4rF2u5d6c8a9e0f1g2h3j4k5m6n7p8q9r0s1tA==',
          ),
          key_id: field(
            z.string(),
            'The key that made it, one of those at `/v1/certifications/public_key`.',
            'a1b2c3d4e5f60718',
          ),
        }),
      ).nullable(),
      'Null before the run is finished.',
    ),
  }),
);
export type CertificationOutput = z.infer<typeof certificationOutput>;

/** The schema of a URL whose host is checked before each request, like that of an endpoint. */
const outsideUrl = z
  .string()
  .min(1)
  .max(2_048)
  .refine((url) => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol), {
    error: 'must be an http(s) URL such as https://portal.example/api/svc/tenant',
  })
  .refine((url) => !URL.canParse(url) || new URL(url).username + new URL(url).password === '', {
    error: 'must not contain a user name or password: the request is signed like a webhook',
  });

export const certificationInput = named(
  'CertificationInput',
  'What to certify. Sandbox only.',
  z.strictObject({
    endpoint_id: loggedField(
      text(255).optional(),
      'The endpoint to send to. Required if more than one is enabled.',
      exampleIds.endpoint,
    ),
    tenant_query_url: field(
      outsideUrl.optional(),
      'An address of yours that returns your view of a tenant. Without it, most cases about money are skipped.',
      'https://portal.example/api/svc/tenant',
    ),
    product_variant: loggedField(
      productVariant.optional(),
      'What the tenants of the run pay. Default: `rent`.',
      'rent',
    ),
    tenants: field(
      z
        .array(externalId)
        .min(1)
        .max(mostTenants)
        .refine((ids) => new Set(ids).size === ids.length, { error: 'must name each tenant once' })
        .optional(),
      'Your own test tenants, which the run uses instead of tenants that it makes. It ends their plans and replaces what you reported about them. Two are enough for every case.',
      ['t-certify-1', 't-certify-2'],
    ),
    anyway: loggedField(
      z.boolean().optional(),
      'Also run the other cases if the endpoint accepts a forged webhook. Only for a receiver on the service’s own machine.',
      false,
    ),
  }),
);
export type CertificationInput = z.infer<typeof certificationInput>;

export const certificationsQuery = z.strictObject(listByIdQuery('crt'));

const certificationId = field(
  z.string().min(1).max(255),
  'Id of the run.',
  exampleIds.certification,
);
export const certificationParams = z.strictObject({ id: certificationId });
export const certificationCaseParams = z.strictObject({
  id: certificationId,
  name: field(
    z.enum(serviceCaseNames, {
      error: `must be a case that the service runs: ${serviceCaseNames.join(', ')}`,
    }),
    'The case to run. The cases of the area `page` are run by the CLI.',
    'duplicates',
  ),
});

const pageStep = named(
  'PageStepInput',
  'One thing that was done in the browser.',
  z.strictObject({
    title: field(z.string().min(1).max(300), 'What was done.', 'Clicked the widget'),
    detail: field(z.string().max(2_000).nullish(), 'What was seen.', 'The frame opened in 340 ms.'),
    duration_in_ms: field(z.int().min(0).max(600_000).nullish(), 'How long it took.', 340),
  }),
);

export const pageResultsInput = named(
  'PageResults',
  'Results of the cases of the area `page`. A case that is reported again is replaced.',
  z.strictObject({
    results: field(
      z
        .array(
          named(
            'ReportedPageCase',
            'The result of one case of your page.',
            z.strictObject({
              case: loggedField(z.enum(pageCaseNames), 'The name of the case.', 'widget_shown'),
              status: loggedField(z.enum(doctorStatuses), 'The result.', 'pass'),
              summary: field(
                z.string().min(1).max(2_000),
                'What was found.',
                'It is 420 × 300 px.',
              ),
              cause: field(summary.optional(), 'The likely mistake.', null),
              fix: field(summary.optional(), 'What to do about it.', null),
              docs: field(
                z
                  .string()
                  .max(300)
                  .regex(/^\/docs(\/[a-z0-9-]+)*(#[a-z0-9_-]+)?$/, {
                    error: 'must be a path such as /docs/csp',
                  })
                  .optional(),
                'The page of the documentation about it, as a path.',
                '/docs/csp',
              ),
              steps: field(z.array(pageStep).max(50).optional(), 'What was done, in order.'),
              duration_in_ms: field(
                z.int().min(0).max(600_000).nullish(),
                'How long the case ran.',
                2_300,
              ),
            }),
          ),
        )
        .min(1)
        .max(pageCaseNames.length)
        .refine((results) => new Set(results.map((it) => it.case)).size === results.length, {
          error: 'must name each case once',
        }),
      'The results.',
    ),
  }),
);
export type PageResultsInput = z.infer<typeof pageResultsInput>;

export const certificationKeysOutput = named(
  'CertificationKeys',
  'The public keys that verify signed reports, newest first.',
  z.object({
    keys: field(
      z.array(
        named(
          'CertificationKey',
          'A key that verifies signed reports.',
          z.object({
            key_id: field(z.string(), 'As in `signed_report`.', 'a1b2c3d4e5f60718'),
            algorithm: field(z.literal('ed25519'), 'Always `ed25519`.', 'ed25519'),
            public_key: field(
              z.string(),
              'The key’s 32 bytes, as base64.',
              '11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=',
            ),
          }),
        ),
      ),
      'The keys. There are several after a rotation of the service’s secret key.',
    ),
  }),
);
export type CertificationKeysOutput = z.infer<typeof certificationKeysOutput>;

/**
 * A partner's view of one tenant, as its tenant query returns it. Each part is optional: what is left out is not
 * compared. Other fields are ignored.
 */
export interface TenantView {
  /** The tenant's plan as you know it, with our words for its state; null if you know of none. */
  plan?: { id: string; state: string } | null;
  settlements?: {
    id: string;
    status?: string;
    /** The total of your debits for it. A debit that the bank returned does not count. */
    debited_in_cents?: number;
    /** The total that you sent back to us, because the landlord credited the tenant. */
    sent_back_in_cents?: number;
  }[];
  /** The tenant's debt to you now. */
  amount_owed_in_cents?: number;
}
