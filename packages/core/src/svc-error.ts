/** One setting that can't be used: its name, what it got, what it wants. Never holds a secret. */
export interface SettingIssue {
  name: string;
  got: string;
  wants: string;
}

/**
 * What the SDK throws, always at once and only for faults in the page's own code. `error_code` is
 * `invalid_settings` (with `issues`, all of them), `destroyed` or, in React, `ambiguous_instance`.
 */
export class SvcError extends Error {
  declare readonly code: 1000;
  declare readonly error_code: string;
  declare readonly issues: readonly SettingIssue[];

  constructor(error_code: string, message = '', issues: readonly SettingIssue[] = []) {
    super(error_code + message);
    Object.assign(this, { name: 'SvcError', code: 1000, error_code, issues });
  }
}
