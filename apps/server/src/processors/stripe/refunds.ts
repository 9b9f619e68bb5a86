import type Stripe from 'stripe';
import type {
  EarlierCall,
  Outcome,
  Processor,
  RefundRequest,
} from '../../domain/payments/processor.ts';
import { outcomeOfMissing, pageSize, withOutcomeOfError } from './calls.ts';
import { keyField } from './events.ts';
import { outcomeOfRefund } from './outcomes.ts';
import type { StripeDeps } from './stripe-deps.ts';

interface Refunds extends Pick<Processor, 'refund'> {
  readonly find: (call: EarlierCall) => Promise<Outcome | null>;
}

/** Gives money back from earlier charges. */
export function createRefunds(deps: StripeDeps): Refunds {
  const { stripe } = deps;

  async function refund({ key, amountInCents, of }: RefundRequest): Promise<Outcome> {
    const { ref } = of;
    if (ref === null) return { state: 'unknown', reason: 'the charge is not known at Stripe yet' };
    return withOutcomeOfError(deps, key, async () =>
      outcomeOf(
        key,
        await stripe.refunds.create(
          { payment_intent: ref, amount: amountInCents, metadata: { [keyField]: key } },
          { idempotencyKey: key },
        ),
      ),
    );
  }

  async function find({ key, ref, of, sentAt }: EarlierCall): Promise<Outcome | null> {
    if (ref !== null) return outcomeOf(key, await stripe.refunds.retrieve(ref));
    if (!of?.ref) return { state: 'unknown', reason: 'the charge is not known at Stripe yet' };
    const refunds = stripe.refunds.list({ payment_intent: of.ref, limit: pageSize });
    for await (const refund of refunds) {
      if (refund.metadata?.[keyField] === key) return outcomeOfRefund(refund);
    }
    return outcomeOfMissing(deps, sentAt);
  }

  return { refund, find };
}

/** Unknown if the answer is about another refund, because it says nothing about the one that we asked for. */
function outcomeOf(key: string | null, refund: Stripe.Refund): Outcome {
  if (key === null || refund.metadata?.[keyField] === key) return outcomeOfRefund(refund);
  return { state: 'unknown', reason: `the answer is about ${refund.id}, another refund` };
}
