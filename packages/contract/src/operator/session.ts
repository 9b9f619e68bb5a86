import { z } from 'zod';
import { environment, instant } from '../primitives.ts';
import { operatorRole, permission } from './roles.ts';

/** Exchanges the secret of an invite link for a session cookie. */
export const openOperatorSessionInput = z.strictObject({ secret: z.string().min(1).max(200) });

export const operatorSessionOutput = z.object({
  id: z.string(),
  operator_id: z.string(),
  name: z.string(),
  role: operatorRole,
  permissions: z.array(permission),
  environment,
  is_enrolling: z
    .boolean()
    .describe('The session can do nothing until the person has enrolled a passkey or a password.'),
  partners: z
    .array(z.string())
    .nullable()
    .describe('The portals that the person is limited to. Null for all of them.'),
  expires_at: instant.describe('The latest end. It ends earlier after 15 minutes without use.'),
  proven_at: instant
    .nullable()
    .describe('When the person last proved who they are, which some actions need.'),
});
export type OperatorSessionOutput = z.infer<typeof operatorSessionOutput>;
