/**
 * The placeholders of an agreement's text. True for those that it must have: what Regulation Z requires, and the
 * rules by which the plan is run.
 */
export const agreementPlaceholders = {
  plan_number: true,
  signed_on: true,
  borrower: true,
  /** A line with it is left out if the portal did not report the home. */
  home: false,
  creditor_name: true,
  creditor_address: true,
  /**
   * A line with it is left out where the lending rules name no license. A text without it has the license in the
   * line after the creditor's name.
   */
  license: false,
  support_email: true,
  apr: true,
  finance_charge: true,
  amount_financed: true,
  total_of_payments: true,
  fee: true,
  payment_count: false,
  /** The numbered payments, a line for each. */
  payments: true,
  first_payment: true,
  /** The account or card, such as "bank account ending in 6789". */
  account: true,
  debit_by: true,
  retries: true,
  /** Why a payment is tried again, after "because": a list of reasons that ends in "or". */
  retry_reasons: false,
  remind_days_before: false,
  days_apart: false,
  past_due_days: true,
  charge_off_days: true,
} as const;

export type AgreementPlaceholder = keyof typeof agreementPlaceholders;

const placeholder = /\{([a-z_]*)\}/g;

/** Returns the problems of a template, one sentence for each problem. */
export function agreementProblems(template: string): string[] {
  const names = [...template.matchAll(placeholder)].map((match) => match[1] ?? '');
  const unknown = new Set(names.filter((name) => !Object.hasOwn(agreementPlaceholders, name)));
  const missing = Object.entries(agreementPlaceholders).flatMap(([name, isRequired]) =>
    isRequired && !names.includes(name) ? [name] : [],
  );
  const problems = [...unknown].map(
    (name) =>
      `has the unknown placeholder {${name}}. Known: ${Object.keys(agreementPlaceholders).join(', ')}`,
  );
  if (missing.length > 0) {
    problems.push(`must contain ${missing.map((name) => `{${name}}`).join(', ')}`);
  }
  if (/[{}]/.test(template.replaceAll(placeholder, ''))) {
    problems.push('has a brace that belongs to no placeholder');
  }
  const control = /[^\P{Cc}\n]/u;
  if (control.test(template)) problems.push('has a control character other than a line break');
  if (!/^\S.*\n\n/.test(template)) {
    problems.push('must begin with a heading in capitals and an empty line');
  }
  return problems;
}

/** Fills in the values of a template. Each value is inserted as it is, even if it contains a brace. */
export function fillAgreement(
  template: string,
  values: Readonly<Record<AgreementPlaceholder, string | null>>,
): string {
  return withLicense(template)
    .split('\n')
    .filter((line) =>
      (['home', 'license'] as const).every(
        (it) => values[it] !== null || !line.includes(`{${it}}`),
      ),
    )
    .join('\n')
    .replaceAll(placeholder, (_, name: AgreementPlaceholder) => values[name] ?? '')
    .trim();
}

/** Adds a place for the license: texts from before there were licenses have none, and counsel may forget it. */
function withLicense(template: string): string {
  if (template.includes('{license}')) return template;
  return template.replace(/^.*\{creditor_name\}.*$/m, '$&\n{license}');
}
