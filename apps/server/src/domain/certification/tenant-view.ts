import { z } from 'zod';
import type { Mistake } from './finding.ts';

const mostSettlements = 1_000;

const wholeCents = z.int();
/** `TenantView` of the contract, as it is read. */
const viewSchema = z.object({
  plan: z.object({ id: z.string(), state: z.string() }).nullish(),
  settlements: z
    .array(
      z.object({
        id: z.string(),
        status: z.string().nullish(),
        debited_in_cents: wholeCents.nullish(),
        sent_back_in_cents: wholeCents.nullish(),
      }),
    )
    .max(mostSettlements)
    .nullish(),
  amount_owed_in_cents: wholeCents.nullish(),
});

/** A partner's view of a tenant, as it was answered. What is null or left out is not compared. */
export type ReadView = z.output<typeof viewSchema>;
export type ReadSettlement = NonNullable<ReadView['settlements']>[number];

// Looks at the text, because `156000.0` parses to an integer.
const amountWithPoint =
  /"([a-z_]{1,60}_in_cents)"\s{0,4}:\s{0,4}(-?\d{1,20}(?:\.\d{1,30}|e[+-]?\d{1,3}))/i;

/** Reads the answer of a tenant query, or says what is wrong with it. */
export function readTenantView(body: string): ReadView | Mistake {
  const amount = amountWithPoint.exec(body);
  if (amount) {
    return {
      summary: `Your tenant query answered ${amount[1]}: ${amount[2]}, which is not an integer.`,
      cause:
        'Your code keeps money as a floating-point number. Sums of such numbers are off by fractions of a cent.',
      fix: 'Keep amounts as integer cents, as they are in our events, from the webhook to the database.',
      docs: '/docs/money',
    };
  }
  const read = viewSchema.safeParse(parseJson(body));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const where = issue?.path.join('.') || 'the body';
  return {
    summary: `Your tenant query answered something else than a view of a tenant: ${where}: ${issue?.message ?? 'invalid'}.`,
    cause: 'The answer is not JSON of the documented form.',
    fix: 'Answer 200 with an object of plan, settlements and amount_owed_in_cents. Leave out what you do not know.',
    docs: '/docs/tenant-query',
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
