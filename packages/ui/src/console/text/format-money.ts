/** Formats an amount: "$1,520.12", "−$293.00". The minus sign has the width of a digit, unlike a hyphen. */
export function formatCents(cents: number): string {
  return dollars.format(cents / 100).replace('-', '−');
}

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
