import { operatorRoles } from '@svc/contract/operator';
import { z } from 'zod';
import { setting } from '../../settings.ts';

/** How much one person may move within 24 hours before a second person must approve the next command. */
export interface ApprovalLimits {
  /** The limit of roles that `by_role` does not name, and of the command line. */
  readonly everyone_in_cents: number;
  readonly by_role: Readonly<Record<string, number>>;
}

const dollars = /^\d{1,7}$/;

/** Parses limits in whole dollars, such as `100,finance=500`. The first amount is the limit of everyone. */
const limits = z.string().transform((text, ctx): ApprovalLimits | null => {
  if (text === 'one_person') return null;
  const [everyone = '', ...others] = text.split(',').map((part) => part.trim());
  const roles = others.map((part) => part.split('='));
  const areLimitsValid = roles.every(
    ([role, limit = '', ...rest]) =>
      operatorRoles.some((it) => it === role) && dollars.test(limit) && rest.length === 0,
  );
  if (!dollars.test(everyone) || !areLimitsValid) {
    ctx.addIssue({
      code: 'custom',
      message: `must be "one_person", or whole dollars such as 100, then limits of roles such as finance=500, with commas; the roles are ${operatorRoles.join(', ')}`,
    });
    return z.NEVER;
  }
  const by_role = Object.fromEntries(roles.map(([role, limit]) => [role, Number(limit) * 100]));
  return { everyone_in_cents: Number(everyone) * 100, by_role };
});

export const approvalsSetting = setting({
  name: 'SVC_APPROVALS',
  type: limits,
  default: { sandbox: 'one_person', production: '100' },
  description:
    'the dollars that one person may move in 24 hours before a second person must approve, such as `100,finance=500`; `one_person` if no one else can ([two people](two-people.md))',
});
