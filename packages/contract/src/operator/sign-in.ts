import { z } from 'zod';
import { instant } from '../primitives.ts';

/** The answer of `navigator.credentials`, as the library for browsers writes it. */
const passkeyAnswer = z.object({
  id: z.string().min(1).max(1_400),
  rawId: z.string().min(1).max(1_400),
  type: z.literal('public-key'),
  response: z.looseObject({ clientDataJSON: z.string().max(10_000) }),
  clientExtensionResults: z.looseObject({}),
  authenticatorAttachment: z.string().max(50).nullish(),
});
const name = z.string().min(1).max(100);
const code = z.string().regex(/^\d{6}$/, { error: 'must be the 6 digits that the app shows' });
const password = z.string().min(1).max(200);

/** Options for `navigator.credentials`. */
export const passkeyOptionsOutput = z.object({ options: z.looseObject({}) });
export const passkeyInput = z.strictObject({ response: passkeyAnswer });
export const passwordSignInInput = z.strictObject({ name, password, code });
export const recoverySignInInput = z.strictObject({ name, code: z.string().min(1).max(50) });

/** How people sign in. */
export const signInWaysOutput = z.object({
  provider: z
    .string()
    .nullable()
    .describe('The host of the company’s provider. Null if people sign in at the console only.'),
});
/** A page of the console, without its origin, such as `/operator/queues?snoozed=true`. */
const consolePath = z
  .string()
  .max(1_000)
  .regex(/^\/operator(?:[/?][^\p{Cc}\s\\]*)?$/u, { error: 'must be a path below /operator' });
export const visitInput = z.strictObject({
  return_to: consolePath,
  again: z
    .boolean()
    .optional()
    .describe(
      'Asks to sign in even if the browser is signed in at the provider, such as with another account.',
    ),
});
export const proofVisitInput = visitInput.pick({ return_to: true });
export const visitOutput = z.object({
  url: z.string().describe('The page of the provider to open.'),
});
/** The query of the address that the provider has sent the browser back to. */
export const finishVisitInput = z.strictObject({ query: z.string().max(8_000) });
export const finishVisitOutput = z.object({ return_to: consolePath });

export const passwordOptionsOutput = z.object({
  secret: z.string().describe('For the authenticator app, in base32.'),
  uri: z.string().describe('The same as an address, for a QR code.'),
});
export const enrollPasswordInput = z.strictObject({
  password: z
    .string()
    .min(12, { error: 'must have at least 12 characters' })
    .max(200, { error: 'must have at most 200 characters' }),
  secret: z.string().regex(/^[A-Z2-7]{32}$/, { error: 'must be the secret of the app, unchanged' }),
  code,
});
export const enrolledOutput = z.object({
  recovery_codes: z
    .array(z.string())
    .nullable()
    .describe('Ten codes that are shown once. Null if the person has some already.'),
});

export const operatorFactorsOutput = z.object({
  provider: z
    .string()
    .nullable()
    .describe('The host of the provider at which the person signs in. Null for the console.'),
  passkeys: z.array(
    z.object({ id: z.string(), created_at: instant, last_used_at: instant.nullable() }),
  ),
  has_password: z.boolean(),
  recovery_codes_left: z.int(),
});
export type OperatorFactorsOutput = z.infer<typeof operatorFactorsOutput>;

/** Proves who the person is: a passkey, or the password with a code of the app. */
export const proveInput = z.strictObject({
  passkey: passkeyAnswer.optional(),
  password: password.optional(),
  code: code.optional(),
});
export type ProveInput = z.output<typeof proveInput>;
export const provenOutput = z.object({ proven_at: instant });

export const operatorSessionsOutput = z.object({
  items: z.array(
    z.object({
      id: z.string(),
      operator_id: z.string(),
      name: z.string(),
      opened_at: instant,
      expires_at: instant,
      is_yours: z.boolean(),
    }),
  ),
});
