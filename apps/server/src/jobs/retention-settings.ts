import { z } from 'zod';
import { type SectionValue, section, setting } from '../settings.ts';

/** 12 CFR 1002.12(b)(1) asks for 25 months, and 1026.25(a) and 1005.13(b) for two years. */
const leastMonths = 25;

const keptMonths = z
  .string()
  .refine((it) => it === 'always' || (/^\d{2,3}$/.test(it) && Number(it) >= leastMonths), {
    error: `must be "always" or a number of months from ${leastMonths} to 999: 12 CFR 1002.12(b)(1) asks to keep applications for 25 months after the decision, and 12 CFR 1026.25(a) and 1005.13(b) plans and authorizations for two years`,
  })
  .transform((it) => (it === 'always' ? null : Number(it)));

/** How long data about people is kept, in months; null for always. */
export interface Retention extends SectionValue<typeof retentionSettings> {}

export const retentionSettings = section({
  applicationMonths: setting({
    name: 'SVC_APPLICATION_RETENTION_MONTHS',
    type: keptMonths,
    default: 'always',
    description:
      'months after an application has ended until its date of birth, income and facts are deleted: `always`, or at least 25 ([how long data is kept](data-requests.md#how-long-data-is-kept))',
  }),
  tenantMonths: setting({
    name: 'SVC_TENANT_RETENTION_MONTHS',
    type: keptMonths,
    default: 'always',
    description:
      'months without any activity until a tenant is erased: `always`, or at least 25 ([how long data is kept](data-requests.md#how-long-data-is-kept))',
  }),
});
