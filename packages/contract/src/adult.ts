/** The age from which a tenant may borrow. No dependencies: the experience bundles this file. */
export const adultYears = 18;

/** Returns whether someone born on this day is an adult on `today`. Both are `YYYY-MM-DD`. */
export function isAdult(dateOfBirth: string, today: string): boolean {
  const birthday = `${String(Number(dateOfBirth.slice(0, 4)) + adultYears).padStart(4, '0')}${dateOfBirth.slice(4)}`;
  return birthday <= today;
}
