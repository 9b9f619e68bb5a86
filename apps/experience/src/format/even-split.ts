/** Splits an amount evenly into `count` payments. Today's includes the fee and the cents that don't divide. */
export function evenSplit(principalInCents: number, feeInCents: number, count: number) {
  const each = Math.floor(principalInCents / count);
  return { today: principalInCents - each * (count - 1) + feeInCents, each };
}
