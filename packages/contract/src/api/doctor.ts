import { z } from 'zod';
import { extensible, field, loggedField, named } from '../describe-schema.ts';
import { externalId, instant } from '../primitives.ts';

/** The output of the SDK's `svc.diagnose()`. Fields of a newer SDK are accepted and not read. */
const diagnosisInput = named(
  'Diagnosis',
  'The output of `svc.diagnose()` of the SDK. Fields that this service does not know are ignored.',
  z.looseObject({
    page_url: field(
      z.string().max(2048).optional(),
      'The page that shows the widget.',
      'https://portal.example/rent',
    ),
    environment: field(
      z.string().max(20).optional(),
      'The environment that the widget is set to.',
      'sandbox',
    ),
    pms: field(z.string().max(100).optional(), 'The widget’s setting `pms`.', 'my-portal'),
    external_id: field(externalId.optional(), 'The tenant that the widget shows.', 't-100'),
    signature: field(
      z.string().max(200).optional(),
      'The widget’s signature. Compared with that of your live keys.',
      '5d41402abc4b2a76b9719d911017c5925d41402abc4b2a76b9719d911017c592',
    ),
    balance: field(
      z.number().optional(),
      'The widget’s balance, in cents. Compared with the reported charges.',
      152012,
    ),
    container: field(
      named(
        'WidgetContainer',
        'The size of the widget.',
        z.looseObject({
          width: field(z.number(), 'In CSS pixels.', 343),
          height: field(z.number(), 'In CSS pixels.', 264),
        }),
      ).nullish(),
      'The size of the widget. Null if it is not on the page.',
    ),
    blocked_by: field(
      z.array(z.string().max(100)).max(20).optional(),
      'The directives of the page’s Content Security Policy that blocked something.',
      [],
    ),
    problems: field(
      z
        .array(
          named(
            'DiagnosedProblem',
            'An error that the SDK reported.',
            z.looseObject({
              code: field(z.int(), 'The number of the error.', 1001),
              error_code: field(z.string().max(100), 'The name of the error.', 'signature_invalid'),
            }),
          ),
        )
        .max(50)
        .optional(),
      'The errors that the SDK reported.',
      [],
    ),
  }),
);
export type DiagnosisInput = z.output<typeof diagnosisInput>;

export const doctorInput = named(
  'DoctorInput',
  'Where to look. Without a field, the checks that need it are skipped.',
  z.strictObject({
    page_url: field(
      z.string().min(1).max(2048).optional(),
      'A page of yours that shows the widget. It is fetched once, without cookies.',
      'https://portal.example/rent',
    ),
    external_id: loggedField(
      externalId.optional(),
      'A tenant whose signature and charges to check.',
      't-100',
    ),
    diagnosis: field(diagnosisInput.optional(), 'What `svc.diagnose()` found in the page.'),
  }),
);
export type DoctorInput = z.output<typeof doctorInput>;

/** The checks in the order of the response. There is one of each `webhook_…` for each endpoint. */
export const doctorCheckIds = [
  'key',
  'signature',
  'charges',
  'window',
  'origins',
  'page',
  'csp',
  'frame_headers',
  'container',
  'sdk',
  'clock',
  'webhook_valid',
  'webhook_test',
  'webhook_forged',
  'webhook_repeated',
] as const;

export const doctorStatuses = ['pass', 'warn', 'fail', 'skipped'] as const;

export const doctorCheckOutput = named(
  'DoctorCheck',
  'One check of your integration, and its result.',
  z.object({
    id: field(
      extensible(z.enum(doctorCheckIds)),
      'The check. There is one of each `webhook_…` for each endpoint. More checks may be added.',
      'origins',
    ),
    status: field(
      z.enum(doctorStatuses),
      '`warn`: it works, and should be changed before you go live. `skipped`: something that the check needs was missing.',
      'fail',
    ),
    title: field(z.string(), 'What was checked, for people.', 'Allowed origins'),
    detail: field(
      z.string(),
      'What was found; of a skipped check, why it was skipped.',
      'https://portal.example is not in the list.',
    ),
    fix: field(
      z.string().nullable(),
      'What to do. Null if there is nothing to do.',
      'Add it with PUT /v1/partner/allowed_origins.',
    ),
    docs_url: field(
      z.string().nullable(),
      'The page of the documentation about it.',
      'https://sandbox.svc.example/docs/go-live',
    ),
  }),
);
export type DoctorCheckOutput = z.infer<typeof doctorCheckOutput>;

export const doctorOutput = named(
  'DoctorReport',
  'The result of each check.',
  z.object({ checks: field(z.array(doctorCheckOutput), 'The checks, in the order of their ids.') }),
);
export type DoctorOutput = z.infer<typeof doctorOutput>;

/** The items that the service marks itself, by what it has seen. */
export const observedGoLiveItems = [
  'origins_set',
  'webhook_delivered',
  'forgery_refused',
  'retry_recovered',
  'key_rotated',
  'settlement_verified',
] as const;
/** The items that a person marks, because the service cannot see them. */
export const manualGoLiveItems = [
  'duplicates_handled',
  'decline_rehearsed',
  'production_secrets_separate',
  'support_informed',
] as const;
export const goLiveItems = [...observedGoLiveItems, ...manualGoLiveItems] as const;
export type GoLiveItem = (typeof goLiveItems)[number];

export const goLiveOutput = named(
  'GoLiveChecklist',
  'The checklist of what to have done before you go live.',
  z.object({
    items: field(
      z.array(
        named(
          'GoLiveItem',
          'One item of the go-live checklist.',
          z.object({
            id: field(
              extensible(z.enum(goLiveItems)),
              'The item. More items may be added.',
              'duplicates_handled',
            ),
            title: field(
              z.string(),
              'What is to be done, for people.',
              'A repeated webhook is handled once',
            ),
            how: field(
              z.enum(['observed', 'manual']),
              '`observed`: the service marks it. `manual`: you do.',
              'manual',
            ),
            done: field(z.boolean(), 'True once it is marked.', true),
            done_at: field(
              instant.nullable(),
              'When it was marked. Null if it is not.',
              '2026-02-02T15:30:00.000Z',
            ),
            todo: field(
              z.string(),
              'How to get it done.',
              'Replay a message from the console, and look at your log.',
            ),
          }),
        ),
      ),
      'All items, the observed ones first.',
    ),
  }),
);
export type GoLiveOutput = z.infer<typeof goLiveOutput>;

export const goLiveMarkInput = named(
  'GoLiveMarkInput',
  'Whether the item is done.',
  z.strictObject({ done: loggedField(z.boolean(), 'False removes the mark.', true) }),
);
export const goLiveParams = z.strictObject({
  item: field(
    z.string().min(1).max(100),
    `One of ${manualGoLiveItems.map((item) => `\`${item}\``).join(', ')}.`,
    'duplicates_handled',
  ),
});
