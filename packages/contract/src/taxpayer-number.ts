/**
 * Returns whether nine digits can be a Social Security number or an ITIN. The Social Security Administration
 * has never used area 000, 666 or 900 to 999, group 00, or serial 0000; the IRS lists the fourth and
 * fifth digits of an ITIN (Publication 1915). A number that passes may still belong to no person.
 */
export function isTaxpayerNumber(digits: string): boolean {
  return socialSecurityNumber.test(digits) || itin.test(digits);
}

const socialSecurityNumber = /^(?!000|666|9)\d{3}(?!00)\d{2}(?!0000)\d{4}$/;
const itin = /^9\d{2}(?:5\d|6[0-5]|7\d|8[0-8]|9[0-24-9])\d{4}$/;
