import type { ErrorCode, FieldError } from '@svc/contract';
import type { OperatorErrorCode } from '@svc/contract/operator';

/** A request that we refuse, with a code of the error catalogue. http/problem.ts turns it into a response. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode | OperatorErrorCode;
  readonly param: string | undefined;
  readonly errors: readonly FieldError[] | undefined;

  /** `message` replaces the catalogue's words where more can be said. */
  constructor(
    code: ErrorCode | OperatorErrorCode,
    details: { message?: string; param?: string; errors?: readonly FieldError[] } = {},
  ) {
    super(details.message ?? code);
    this.code = code;
    this.param = details.param ?? details.errors?.[0]?.param;
    this.errors = details.errors;
  }

  /** Whether the catalogue's words stand in for an own message. */
  get plain(): boolean {
    return this.message === this.code;
  }
}
