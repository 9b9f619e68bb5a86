import type { Service, Steps } from '../../context.ts';
import { answerTimeoutMs, type CallToMake } from './calls.ts';
import { openInstrument } from './payment-methods.ts';
import { type Outcome, type Processor, returnPath } from './processor.ts';
import { processorOf } from './processor-of.ts';

/** The outcome of one call, or what an event says about it. */
export interface Report {
  readonly partnerId: string;
  readonly tenantId: string;
  readonly key: string;
  /** Null if the processor never received the call. */
  readonly outcome: Outcome | null;
  /** Only `found` is authoritative. An answer or an event may be older than what is stored. */
  readonly source: 'answer' | 'event' | 'found';
}

/** Makes one call, outside of any transaction. Never throws: after an error, the outcome is `unknown`. */
export async function makeCall(
  { service, after }: Pick<Steps, 'service' | 'after'>,
  call: CallToMake,
): Promise<Report> {
  const { partnerId, tenantId } = call.payer;
  const about = { partnerId, tenantId, key: call.key } as const;
  const source = call.todo === 'send' ? 'answer' : 'found';
  let cancelTimer = () => {};
  // The adapter times out first, so this timer only ends a call that ignores its own timeout.
  const tooLate = new Promise<Outcome>((resolve) => {
    cancelTimer = after(answerTimeoutMs, () =>
      resolve({ state: 'unknown', reason: 'no answer in time' }),
    );
  });
  try {
    const answered = Promise.resolve(askProcessor(service, processorOf(service), call));
    const outcome = await Promise.race([answered, tooLate]);
    return { ...about, source, outcome: checkedOutcome(outcome, call) };
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'the call failed';
    return { ...about, source, outcome: { state: 'unknown', reason } };
  } finally {
    cancelTimer();
  }
}

function askProcessor(
  service: Service,
  processor: Processor,
  call: CallToMake,
): Promise<Outcome | null> {
  const { todo, kind, key, ref, payer, amountInCents, methodId, occasion, of, sentAt } = call;
  switch (todo) {
    case 'find':
      return processor.find(
        { kind, key, ref, sentAt, of, instrument: openInstrument({ service }, call) },
        payer,
      );
    case 'cancel':
      return processor.cancel({ key, ref }, payer);
    case 'send':
      if (occasion === null) return processor.refund({ key, payer, amountInCents, of });
      return processor.charge({
        key,
        payer,
        amountInCents,
        methodId,
        occasion,
        instrument: openInstrument({ service }, call),
        returnUrl: `${service.publicOrigin}${returnPath}`,
      });
  }
}

/** Checks an adapter's answer, because a wrong one would be booked. */
function checkedOutcome(outcome: Outcome | null, call: CallToMake): Outcome | null {
  if (!isOutcome(outcome)) return { state: 'unknown', reason: 'the answer makes no sense' };
  if (outcome === null || !isOtherAmount(outcome, call)) return outcome;
  const reason = `it moved ${outcome.amountInCents} cents instead of ${call.amountInCents}`;
  return { state: 'unknown', reason };
}

/** Returns whether the processor moved another amount than we asked for. */
export function isOtherAmount(
  outcome: Outcome,
  { amountInCents }: Pick<CallToMake, 'amountInCents'>,
): outcome is Extract<Outcome, { state: 'succeeded' }> {
  return (
    outcome.state === 'succeeded' &&
    outcome.amountInCents !== undefined &&
    outcome.amountInCents !== amountInCents
  );
}

function isOutcome(value: unknown): value is Outcome | null {
  if (value === null) return true;
  const { state, ref, returnCode } = value as Record<string, unknown>;
  if (state === 'unknown') return true;
  if (state === 'failed') return typeof returnCode === 'string' && returnCode !== '';
  return (
    (state === 'succeeded' || state === 'processing' || state === 'requires_action') &&
    typeof ref === 'string' &&
    ref !== ''
  );
}
