/** A setting that is not valid. Never contains a secret: for secrets, `got` is the type. */
export interface SettingIssue {
  name: string;
  /** The value, or its type. */
  got: string;
  /** The kind of value to pass, such as "cents, such as 152012". */
  wants: string;
  /** The problem in a sentence: "balance: 1520.12 is not an integer. Pass cents, such as 152012." */
  message: string;
}

/**
 * Thrown for mistakes in the page's own code, always synchronously. `error_code` is
 * `invalid_settings` (with `issues`, all of them), `destroyed` or, in React, `ambiguous_instance` and
 * `not_mounted`.
 */
export class SvcError extends Error {
  declare readonly code: 1000;
  declare readonly error_code: string;
  declare readonly issues: readonly SettingIssue[];

  constructor(error_code: string, message: string, issues: readonly SettingIssue[] = []) {
    super(message);
    Object.assign(this, { name: 'SvcError', code: 1000, error_code, issues });
  }
}

/** An error for one or more wrong settings, each on a line of its message. */
export function invalidSettings(issues: readonly SettingIssue[]): SvcError {
  const message = issues.map((issue) => issue.message).join('\n');
  return new SvcError('invalid_settings', message, issues);
}
