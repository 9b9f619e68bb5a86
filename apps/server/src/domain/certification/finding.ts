/** The result of a case. */
export type Finding =
  | { readonly status: 'pass' | 'skipped'; readonly summary: string }
  | ({ readonly status: 'warn' | 'fail' } & Mistake);

export interface Mistake {
  /** The observation, such as a status that came back. */
  readonly summary: string;
  /** The mistake that explains it, in the partner's words. */
  readonly cause: string;
  readonly fix: string;
  /** The page of the docs to show instead of the case's page. */
  readonly docs?: string;
}

export const pass = (summary: string): Finding => ({ status: 'pass', summary });
export const skipped = (summary: string): Finding => ({ status: 'skipped', summary });
export const warn = (mistake: Mistake): Finding => ({ status: 'warn', ...mistake });
export const fail = (mistake: Mistake): Finding => ({ status: 'fail', ...mistake });

/** Ends a case with what it found, from any depth. */
export class CaseEnded extends Error {
  override readonly name = 'CaseEnded';
  readonly finding: Finding;

  constructor(finding: Finding) {
    super(finding.summary);
    this.finding = finding;
  }
}
