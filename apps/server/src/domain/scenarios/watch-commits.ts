import type { OutgoingMessage, RequestSteps } from '../../context.ts';
import type { Actor } from '../access/actor.ts';

/** Wraps the steps, so that the webhook messages of each one are reported once it has committed. */
export function watchCommits<A extends Actor>(
  steps: RequestSteps<A>,
  onCommit: (messages: readonly OutgoingMessage[]) => void,
): RequestSteps<A> {
  return {
    ...steps,
    async step(work) {
      // A transaction that lost a conflict runs again; only the last run has committed.
      let emitted: readonly OutgoingMessage[] = [];
      const result = await steps.step(async (ctx) => {
        emitted = ctx.outbox.messages;
        return work(ctx);
      });
      onCommit(emitted);
      return result;
    },
  };
}
