/** Formats an amount: "$1,520.12". */
export function formatCents(cents: number): string {
  return dollars.format(cents / 100);
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
