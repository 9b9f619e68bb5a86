import { cardBrands, type Locale, type QuoteOutput } from '@svc/contract';
import type { Creditor } from '../partners/terms.ts';
import type { PaymentMethod } from '../payments/payment-methods.ts';

type Offer = Omit<QuoteOutput, 'id' | 'disclosure' | 'warnings'>;
type Variant = 'rent' | 'hoa';

interface Parties {
  readonly variant: Variant;
  readonly creditor: Creditor;
  readonly method: PaymentMethod;
}

/** The exact words of the consent, in the language of the screen; kept with the plan as they were. */
export function disclosureText(
  offer: Offer,
  { variant, creditor, method }: Parties,
  locale: Locale,
): string {
  const day = formatOfDay[locale];
  return words[locale](
    {
      apr: formatOfRate[locale].format(offer.apr_bps / 10_000),
      charge: money(offer.finance_charge_in_cents),
      financed: money(offer.amount_financed_in_cents),
      total: money(offer.total_of_payments_in_cents),
      fee: money(offer.fee_in_cents),
      payments: offer.installments.map(
        (it) => `  ${it.number}. ${inWords(it.due_date, day)}: ${money(it.amount_in_cents)}`,
      ),
      brand: method.brand && cardBrands[method.brand],
      last4: method.last4,
      debitBy: inWords(offer.debit_by, day),
      creditor: `${creditor.name}, ${creditor.address}`,
      help: creditor.supportEmail,
    },
    variant,
  ).join('\n');
}

interface Facts {
  readonly apr: string;
  readonly charge: string;
  readonly financed: string;
  readonly total: string;
  readonly fee: string;
  readonly payments: readonly string[];
  /** Of a card. */
  readonly brand: string | null;
  readonly last4: string;
  readonly debitBy: string;
  readonly creditor: string;
  readonly help: string;
}

/** The items of 12 CFR 1026.18, the authorization of 12 CFR 1005.10 and the consent of 15 USC 7001. */
const words: Readonly<Record<Locale, (facts: Facts, variant: Variant) => string[]>> = {
  en: (
    { apr, charge, financed, total, fee, payments, brand, last4, debitBy, creditor, help },
    variant,
  ) => {
    const due = variant === 'hoa' ? 'association dues' : 'rent';
    const method = brand === null ? 'bank account' : `${brand} card`;
    return [
      `Creditor: ${creditor}`,
      '',
      `ANNUAL PERCENTAGE RATE (the cost of your credit as a yearly rate): ${apr}`,
      `FINANCE CHARGE (the dollar amount the credit will cost you): ${charge}`,
      `Amount financed (what we pay for your ${due}): ${financed}`,
      `Total of payments (what you will have paid after all payments): ${total}`,
      '',
      `Payment schedule, ${payments.length} payments:`,
      ...payments,
      '',
      `The first payment includes the fee of ${fee}. It is taken today from your ${method} ending in ${last4}.`,
      '',
      'The others are taken from it on their dates. You may stop a payment by telling us at least 3 business days before.',
      '',
      'Late payment: there is no late fee. Prepayment: you may pay early at any time without a penalty.',
      '',
      `We pay ${financed} for your ${due}. The portal takes it from us by ${debitBy}.`,
      '',
      'You sign by ticking the box and pressing the button. This agreement and our notices come to you electronically. Write to us for a free copy on paper, or if you no longer want them this way.',
      '',
      `Questions: ${help}`,
    ];
  },
  es: (
    { apr, charge, financed, total, fee, payments, brand, last4, debitBy, creditor, help },
    variant,
  ) => {
    const due = variant === 'hoa' ? 'tus cuotas de la asociación' : 'tu renta';
    const method = brand === null ? 'cuenta' : `tarjeta ${brand}`;
    return [
      `Acreedor: ${creditor}`,
      '',
      `TASA DE PORCENTAJE ANUAL, APR (el costo de tu crédito como tasa anual): ${apr}`,
      `CARGO FINANCIERO (lo que te cuesta el crédito en dólares): ${charge}`,
      `Cantidad financiada (lo que pagamos por ${due}): ${financed}`,
      `Total de pagos (lo que habrás pagado después de todos los pagos): ${total}`,
      '',
      `Calendario de pagos, ${payments.length} pagos:`,
      ...payments,
      '',
      `El primer pago incluye el cargo de ${fee}. Se cobra hoy de tu ${method} terminada en ${last4}.`,
      '',
      'Los demás se cobran de ahí en sus fechas. Puedes detener un pago si nos avisas al menos 3 días hábiles antes.',
      '',
      'Atraso: no hay recargo por atraso. Pago anticipado: puedes pagar antes cuando quieras, sin penalización.',
      '',
      `Pagamos ${financed} por ${due}. El portal nos los cobra a más tardar el ${debitBy}.`,
      '',
      'Firmas al marcar la casilla y presionar el botón. Este contrato y nuestros avisos te llegan en forma electrónica. Escríbenos si quieres una copia gratis en papel, o si ya no los quieres así.',
      '',
      `Preguntas: ${help}`,
    ];
  },
};

// Kept: making one takes longer than all else in a quote.
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' });
const formatOfDay = { en: dayFormat('en-US'), es: dayFormat('es-US') };
const formatOfRate = { en: rateFormat('en-US'), es: rateFormat('es-US') };

function money(cents: number): string {
  return dollars.format(cents / 100);
}

function inWords(day: string, format: Intl.DateTimeFormat): string {
  return format.format(Date.parse(`${day}T00:00:00Z`));
}

function dayFormat(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });
}

function rateFormat(locale: string): Intl.NumberFormat {
  return new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 });
}
