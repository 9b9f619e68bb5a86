import { isAbsolute, resolve } from 'node:path';
import { isRoutingNumber } from '@svc/contract';
import { z } from 'zod';
import { flag, wholeNumber } from '../../setting-types.ts';
import { optionalSection, type SectionValue, setting } from '../../settings.ts';

/** `17:00` becomes `1700`. */
const timeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time such as 17:00' })
  .transform((time) => time.replace(':', ''));

const assignedId = z
  .string()
  .regex(/^[A-Za-z0-9]{9,10}$/, { error: 'must be 9 or 10 letters and digits' });

/** How we send ACH files to our bank. The bank assigns the ids and names. Set when the processor is ACH. */
export const achSettings = optionalSection(
  {
    isUsed: ({ SVC_PROCESSOR }) => SVC_PROCESSOR === 'ach',
    because: 'SVC_PROCESSOR is ach. Your bank assigns the ids and names.',
  },
  {
    /** Holds `outbox`, `inbox`, `archive`, `rejected` and `staging`. */
    folder: setting({
      name: 'SVC_ACH_FOLDER',
      type: z
        .string()
        .refine(isAbsolute, { error: 'must be an absolute path, such as /var/lib/svc/ach' })
        .transform((folder) => resolve(folder)),
      required: true,
      description:
        'the folder for [ACH files](ach.md): an absolute path that exists, is writable, and is the same for all processes: `outbox` goes to the bank, `inbox` comes from it',
    }),
    /** The bank's routing number of 9 digits, which is also in each trace number. */
    bankRoutingNumber: setting({
      name: 'SVC_ACH_BANK_ROUTING_NUMBER',
      type: z.string().refine(isRoutingNumber, {
        error: 'must be the nine digits of a US bank, without a typing error',
      }),
      required: true,
      description: 'the routing number of your bank, which gets the files (immediate destination)',
    }),
    bankName: setting({
      name: 'SVC_ACH_BANK_NAME',
      type: achText(23),
      required: true,
      description: 'its name in the files',
    }),
    /** The immediate origin: 9 or 10 characters. */
    originId: setting({
      name: 'SVC_ACH_ORIGIN_ID',
      type: assignedId,
      required: true,
      description: 'who sends the files (immediate origin), as your bank assigned it',
    }),
    companyId: setting({
      name: 'SVC_ACH_COMPANY_ID',
      type: assignedId,
      required: true,
      description: 'who debits tenants (company identification), as your bank assigned it',
    }),
    /** On the tenant's bank statement, at most 16 characters. */
    companyName: setting({
      name: 'SVC_ACH_COMPANY_NAME',
      type: achText(16),
      required: true,
      description: "your company's name on tenants' bank statements, at most 16 characters",
    }),
    /** On the tenant's bank statement, at most 10 characters. */
    description: setting({
      name: 'SVC_ACH_DESCRIPTION',
      type: achText(10),
      default: 'PAYMENT',
      description: "what the payment is for, on tenants' bank statements",
    }),
    /** `HHMM` in Eastern time: when files are written for the next banking day. */
    cutOff: setting({
      name: 'SVC_ACH_CUT_OFF',
      type: timeOfDay,
      default: '17:00',
      description:
        'when files are written on banking days, in Eastern time: some minutes before the cut-off of your bank for the next banking day',
    }),
    /** `HHMM` in Eastern time: when files are written that settle the same day. Undefined if they are not used. */
    sameDayCutOff: setting({
      name: 'SVC_ACH_SAME_DAY_CUT_OFF',
      type: timeOfDay,
      defaultNote: 'no entries settle the same day',
      rule: (sameDay, { SVC_ACH_CUT_OFF }) =>
        sameDay !== undefined &&
        sameDay >= String(SVC_ACH_CUT_OFF) &&
        'must be earlier than SVC_ACH_CUT_OFF.',
      description:
        'when files are written whose entries settle the same day, if your bank offers it; entries above $1,000,000 never do',
    }),
    /** Banking days after the effective day without a return until a debit counts as succeeded. */
    returnDays: setting({
      name: 'SVC_ACH_RETURN_DAYS',
      type: wholeNumber('a whole number of banking days', 2, 10),
      default: '3',
      description:
        'after how many banking days without a return a debit counts as succeeded; it is `processing` until then',
    }),
    /** Test each account with an entry of zero dollars before its first debit. */
    prenote: setting({
      name: 'SVC_ACH_PRENOTE',
      type: flag,
      default: '0',
      description:
        'test each account with an entry of zero dollars, three banking days before its first debit',
    }),
  },
);

export interface AchSettings extends SectionValue<typeof achSettings> {}

/** Text of a Nacha file, up to its width there. */
function achText(most: number) {
  return z.string().regex(new RegExp(`^[A-Za-z0-9 .,&/-]{1,${most}}$`), {
    error: `must be 1 to ${most} letters, digits, spaces and . , & / -`,
  });
}
