/**
 * Returns the annual percentage rate of equal payments, of which the first is made today together with the
 * fee (Regulation Z, Appendix J, actuarial method with unit periods of `days`).
 * @param rest each of the `count` payments that follow the first one, in integer cents
 * @param fee in integer cents
 * @returns the rate as a fraction: 0.709 is 70.9 %
 */
export function annualRate(rest: number, count: number, fee: number, days: number): number {
  // The amount that the tenant has the use of after paying the first payment and the fee.
  const financed = rest * count - fee;
  if (fee <= 0) return 0;
  if (financed <= 0) return Number.POSITIVE_INFINITY;
  let low = 0;
  let high = 1;
  while (presentValue(rest, count, high) > financed) high *= 2;
  for (let round = 0; round < 60; round += 1) {
    const middle = (low + high) / 2;
    if (presentValue(rest, count, middle) > financed) low = middle;
    else high = middle;
  }
  return high * (days === 7 ? 52 : 365 / days);
}

function presentValue(payment: number, count: number, rate: number): number {
  let value = 0;
  for (let period = 1; period <= count; period += 1) value += payment / (1 + rate) ** period;
  return value;
}
