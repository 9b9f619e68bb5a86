/** Programme configuration: the defaults of every partner and variant. */
export const terms = {
  lenderName: 'Svc Sandbox Finance',
  supportEmail: 'help@svc.example',
  opensDaysBefore: 7,
  closesDaysAfter: 9,
  minimumInCents: 50_00,
  maximumInCents: 5_000_00,
  installmentCounts: [2, 3, 4],
  feeInCents: 30_00,
  /** Regulation: every part is due within this many days of the first. */
  spanDays: 30,
  daysApart: 2,
  cutOffHour: 14,
  reapplyAfterDays: 90,
} as const;

export type Terms = typeof terms;
