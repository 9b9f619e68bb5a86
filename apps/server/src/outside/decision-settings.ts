import { weaknessOf } from '@svc/runtime';
import { z } from 'zod';
import { identityFields } from '../domain/underwriting/identity.ts';
import { flag, httpUrl, listOfTexts } from '../setting-types.ts';
import { optionalSection, setting } from '../settings.ts';

/** The operator's decision service. Undefined means our own rules. */
export const underwritingSettings = optionalSection(
  {
    isUsed: ({ SVC_UNDERWRITING_URL, SVC_UNDERWRITING_SECRET, SVC_DECISION_FIELDS }) =>
      SVC_UNDERWRITING_URL !== undefined ||
      SVC_UNDERWRITING_SECRET !== undefined ||
      (Array.isArray(SVC_DECISION_FIELDS) && SVC_DECISION_FIELDS.length > 0),
    because:
      'SVC_UNDERWRITING_URL and SVC_UNDERWRITING_SECRET belong together: set both or neither. SVC_DECISION_FIELDS needs them.',
  },
  {
    url: setting({
      name: 'SVC_UNDERWRITING_URL',
      type: httpUrl('https://decisions.example/underwriting'),
      required: true,
      inProduction: (url) =>
        url?.startsWith('http:') &&
        'must be https in production, because it receives personal data of tenants.',
      defaultNote: 'our own rules',
      description: '[a decision service of yours](../decision-service.md); https in production',
    }),
    secret: setting({
      name: 'SVC_UNDERWRITING_SECRET',
      type: z.string().refine(isSecret, {
        error: 'must be "whsec_" followed by 24 to 64 random bytes as base64',
      }),
      required: true,
      secret: 'text',
      rule: (secret) => {
        const weakness = secret === undefined ? undefined : weaknessOf(bytesOf(secret));
        return weakness !== undefined && `${weakness}, so it can be guessed. Create another one.`;
      },
      description: 'signs the questions to the decision service',
    }),
    fields: setting({
      name: 'SVC_DECISION_FIELDS',
      type: listOfTexts.pipe(
        z
          .array(
            z.enum(identityFields, { error: `must be a list of ${identityFields.join(', ')}` }),
          )
          .refine((fields) => !(fields.includes('ssn') && fields.includes('ssn_last4')), {
            error: 'must have ssn or ssn_last4, not both',
          }),
      ),
      default: '',
      description:
        'what the questions say about the tenant, such as `name,birth_date,address`; `ssn` or `ssn_last4` is asked for in the application ([who the applicant is](../decision-service.md#who-the-applicant-is))',
    }),
  },
);

export const decisionNeedsAccountSetting = setting({
  name: 'SVC_DECISION_NEEDS_ACCOUNT',
  type: flag,
  default: '0',
  description:
    'decide an application only after the tenant has added an account or card ([when the account comes first](../decision-service.md#when-the-account-comes-first))',
});

export const holdFlaggedSetting = setting({
  name: 'SVC_HOLD_FLAGGED',
  type: flag,
  default: '0',
  description:
    'hold an application with signs of fraud in review until an operator decides ([when an application is flagged](../decision-service.md#when-an-application-is-flagged))',
});

export const militaryLookupSetting = setting({
  name: 'SVC_MILITARY_LOOKUP_REQUIRED',
  type: flag,
  default: '0',
  rule: (isRequired, { SVC_UNDERWRITING_URL }) =>
    isRequired === true &&
    SVC_UNDERWRITING_URL === undefined &&
    'needs SVC_UNDERWRITING_URL, because our own rules look no one up.',
  description:
    'approve no application before someone has looked up whether the Military Lending Act covers the tenant ([members of the military](../decision-service.md#members-of-the-military))',
});

export const militaryPhoneSetting = setting({
  name: 'SVC_MILITARY_PHONE',
  type: z.string().regex(/^8(00|33|44|55|66|77|88)-\d{3}-\d{4}$/, {
    error: 'must be a toll-free number such as 800-555-0100',
  }),
  defaultNote: 'no plan for covered borrowers',
  description:
    'where a borrower covered by the Military Lending Act can hear its disclosures ([members of the military](../decision-service.md#members-of-the-military))',
});

function isSecret(text: string): boolean {
  const bytes = text.startsWith('whsec_') ? bytesOf(text).length : 0;
  return bytes >= 24 && bytes <= 64;
}

function bytesOf(secret: string): Buffer {
  return Buffer.from(secret.slice('whsec_'.length), 'base64');
}
