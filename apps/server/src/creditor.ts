import type { SvcEnvironment } from '@svc/contract';
import { z } from 'zod';
import { httpUrl, lineOfText } from './setting-types.ts';
import { type SectionValue, section, setting } from './settings.ts';

/** The lender. Agreements, notices (Regulation B, 12 CFR 1002.9(a)(2)) and mails name all three fields. */
export interface Creditor extends SectionValue<typeof creditorSettings> {}

/** The sandbox's default. Production has none. */
export const sandboxCreditor = {
  name: 'Svc Sandbox Finance',
  address: '1 Sandbox Street, Exampleville, TX 00000 (a sandbox, no real address)',
  supportEmail: 'help@svc.example',
};

/** The settings of the lender. */
export const creditorSettings = section({
  name: setting({
    name: 'SVC_LENDER_NAME',
    type: lineOfText,
    default: sandboxCreditor.name,
    inProduction: isNot(sandboxCreditor.name),
    description:
      'who lends: in every agreement, decline notice, mail and page; required in production',
  }),
  /** The postal address, on one line. */
  address: setting({
    name: 'SVC_LENDER_ADDRESS',
    type: lineOfText,
    default: sandboxCreditor.address,
    inProduction: isNot(sandboxCreditor.address),
    description: 'where a letter reaches the lender; required in production',
  }),
  supportEmail: setting({
    name: 'SVC_SUPPORT_EMAIL',
    type: z
      .string()
      .regex(/^[^<>@\s]+@[^<>@\s]+$/, { error: 'must be an address such as help@svc.example' }),
    default: sandboxCreditor.supportEmail,
    inProduction: isNot(sandboxCreditor.supportEmail),
    description: 'who helps tenants; required in production',
  }),
});

export const privacyUrlSetting = setting({
  name: 'SVC_PRIVACY_URL',
  type: httpUrl('https://bank.example/privacy'),
  inProduction: (url) =>
    url?.startsWith('http:') && 'must be https in production, because tenants open it.',
  description:
    'the lender’s privacy notice and notice at collection, linked where tenants apply; `{locale}` in it becomes `en` or `es` ([legal review](legal-review.md#mails-and-records))',
});

/** Returns a warning if tenants are asked for personal data without a link to the privacy notice; otherwise null. */
export function privacyRemark({
  environment,
  privacyUrl,
}: {
  readonly environment: SvcEnvironment;
  readonly privacyUrl: string | undefined;
}): string | null {
  return environment === 'sandbox' || privacyUrl !== undefined
    ? null
    : 'Tenants apply without a link to your privacy notice (GLBA, 12 CFR 1016.4) and notice at collection (CCPA, California Civil Code 1798.100). Set SVC_PRIVACY_URL.';
}

function isNot(ofSandbox: string) {
  return (value: string | undefined) =>
    value === ofSandbox &&
    "must be set in production. Every agreement, decline notice and mail contains the lender's name, postal address and support address.";
}
