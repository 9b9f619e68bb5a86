/**
 * Returns whether this is nine digits with a valid check digit (ABA routing number: weights 3, 7 and 1). No
 * dependencies: the experience bundles this file.
 */
export function isRoutingNumber(number: string): boolean {
  if (!/^\d{9}$/.test(number) || number === '000000000') return false;
  const sum = Array.from(number, Number).reduce(
    (total, digit, index) => total + digit * ([3, 7, 1][index % 3] ?? 0),
    0,
  );
  return sum % 10 === 0;
}
