import { nullable, oneOf, type Queryable, type RowOf, row, sql, text } from '@svc/db';
import { type CallName, type Outcome, processorId } from '../../domain/payments/processor.ts';

/** A charge or refund in the simulator's books. */
export type Call = RowOf<typeof callRow>;

const callRow = row('simulated call', {
  key: text,
  state: oneOf('processing', 'succeeded', 'failed'),
  returnCode: nullable(text),
});

export function findCall(q: Queryable, partnerId: string, key: string): Promise<Call | undefined> {
  return q.maybe(
    callRow,
    sql`
    select key, state, return_code from simulator_call
    where partner_id = ${partnerId} and key = ${key}`,
  );
}

export function outcomeOf({ key, state, returnCode }: Call): Outcome {
  const ref = processorId(key);
  return returnCode === null || state !== 'failed'
    ? { state: state === 'failed' ? 'succeeded' : state, ref }
    : { state, ref, returnCode };
}

/** Returns a call's key. The simulator's ids contain it, so that an id alone finds the call. */
export function keyOf({ key, ref }: CallName): string {
  return key ?? ref?.slice(processorId('').length) ?? '';
}
