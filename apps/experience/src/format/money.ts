const formats = new Map<string, Intl.NumberFormat>();

/** Formats integer cents (USD) for a locale: 152012 is `$1,520.12`. */
export function formatMoney(cents: number, locale: string): string {
  let format = formats.get(locale);
  if (format === undefined) {
    format = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD' });
    formats.set(locale, format);
  }
  return format.format(cents / 100);
}

/** Formats basis points as a percentage: 7090 is `70.9%`. */
export function formatPercent(basisPoints: number, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }).format(
    basisPoints / 10_000,
  );
}
