import type { ErrorCode, FieldError } from '@svc/contract';
import type { OperatorErrorCode } from '@svc/contract/operator';

/** A request that we refuse, with a code of the error catalogue. http/problem.ts turns it into a response. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode | OperatorErrorCode;
  readonly param: string | undefined;
  readonly errors: readonly FieldError[] | undefined;

  /**
   * `message` replaces the catalogue's words where more can be said. Without it, `errors` are the message: the
   * first three mistakes. Of the list, the first 20 are kept.
   */
  constructor(
    code: ErrorCode | OperatorErrorCode,
    details: { message?: string; param?: string; errors?: readonly FieldError[] } = {},
  ) {
    const { errors } = details;
    super(details.message ?? (errors?.length ? describeErrors(errors) : code));
    this.code = code;
    this.param = details.param ?? (errors?.[0]?.param || undefined);
    this.errors = errors?.slice(0, mostErrors);
  }

  /** True if no message was given, so that the catalogue's words are shown. */
  get plain(): boolean {
    return this.message === this.code;
  }
}

/** The first mistakes show what is wrong. A body of 150 kB may have 8,000 of them, and a list of all is 1 MB. */
const mostErrors = 20;

function describeErrors(errors: readonly FieldError[]): string {
  const shown = errors.slice(0, 3).map(describeError);
  if (errors.length > 3) shown.push(`and ${errors.length - 3} more`);
  const message = shown.reduce(
    (before, next) => `${before}${before.endsWith('?') ? '' : ';'} ${next}`,
  );
  return message.endsWith('?') ? message : `${message}.`;
}

/** `due_date must be …`, or with a colon if the message quotes the value: `event_type: "x" is not …`. */
function describeError({ param, message }: FieldError): string {
  return `${param || 'The body'}${message.startsWith('"') ? ':' : ''} ${message}`;
}
