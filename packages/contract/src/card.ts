export const cardBrands = { visa: 'Visa', mastercard: 'Mastercard' } as const;
export type CardBrand = keyof typeof cardBrands;

/** Returns a card's brand by its first digits; null for a brand that we do not accept. */
export function brandOf(number: string): CardBrand | null {
  if (number.startsWith('4')) return 'visa';
  const first = Number(number.slice(0, 4));
  return (first >= 5100 && first < 5600) || (first >= 2221 && first < 2721) ? 'mastercard' : null;
}

/** Returns whether this is sixteen digits with a valid check digit (Luhn, ISO/IEC 7812-1). */
export function isCardNumber(number: string): boolean {
  if (!/^\d{16}$/.test(number)) return false;
  const sum = Array.from(number, Number).reduce((total, digit, index) => {
    const value = digit * (2 - (index % 2));
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}
