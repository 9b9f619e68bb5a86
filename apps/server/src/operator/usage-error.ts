/** The command line was called wrongly. The message is one sentence for the operator. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
