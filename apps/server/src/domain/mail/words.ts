import { cardBrands, type Locale, type ProductVariant } from '@svc/contract';
import type { MailType } from '../events/queue-mails.ts';
import type { Creditor } from '../partners/terms.ts';
import type { Letter } from './claim.ts';

/** Of a card that ends before the plan's last payment. */
export interface CardEnd {
  /** As on the card: `03/26`. */
  readonly month: string;
  readonly lastDay: string;
}

interface Facts {
  readonly amount: string;
  readonly day: string;
  /** "rent" or "dues", as the tenant knows it. */
  readonly variant: ProductVariant;
  readonly method: Letter['method'];
  readonly cardEnd: CardEnd | null;
  /** The day of the next attempt at a failed payment; null when there is none. */
  readonly again: string | null;
  /** The payment had been made, and the bank has taken it back. */
  readonly takenBack: boolean;
  readonly creditor: Creditor;
}

export interface Phrases {
  readonly subject: string;
  readonly lines: readonly string[];
}

interface MailWords {
  readonly greeting: (name: string) => string;
  readonly open: string;
  readonly link: string;
  readonly foot: (facts: Facts) => string;
  readonly types: Readonly<Record<MailType, (facts: Facts) => Phrases>>;
}

/** Plain words, one thing a sentence; the amount and the day come first. */
export const mailWords: Readonly<Record<Locale, MailWords>> = {
  en: {
    greeting: (name) => (name === '' ? 'Hello,' : `Hello ${name},`),
    open: 'Open my plan',
    link: 'The link works once, for four days. After that, open your plan from your portal.',
    foot: ({ creditor: { name, address, supportEmail } }) =>
      `${name} lends to you. Postal address: ${address}. Questions: ${supportEmail}`,
    types: {
      'installment.upcoming': ({ amount, day, variant, method, cardEnd }) => ({
        subject: `${amount} is due on ${day}`,
        lines: [
          `Your next ${noun(variant)} payment of ${amount} is due on ${day}.`,
          ...(method === null ? [] : [`We’ll take it${from(method)} on that day.`]),
          ...(cardEnd === null
            ? []
            : [
                `Your card ends ${cardEnd.month}. Your last payment is on ${cardEnd.lastDay}. Choose another way to pay for it.`,
              ]),
          'You can pay now, move the day, or change how you pay.',
        ],
      }),
      'installment.failed': ({ amount, again, takenBack, variant, method }) => ({
        subject: takenBack
          ? `Your bank took back your payment of ${amount}`
          : `Your payment of ${amount} did not go through`,
        lines: [
          takenBack
            ? `Your bank took back a ${noun(variant)} payment of ${amount} that you had made. You owe it again. There is no late fee.`
            : `Your bank did not make your ${noun(variant)} payment of ${amount}${from(method)}. There is no late fee.`,
          again === null
            ? 'Pay it from your plan when you can, or use another account or card.'
            : `We’ll try again on ${again}. To pay before then, or another way, open your plan.`,
        ],
      }),
      'installment.paid': ({ amount, variant, method }) => ({
        subject: `Receipt: ${amount} paid`,
        lines: [
          `We have received your ${noun(variant)} payment of ${amount}${from(method)}. Thank you.`,
          'Your plan shows what is left to pay, and when.',
        ],
      }),
    },
  },
  es: {
    greeting: (name) => (name === '' ? 'Hola:' : `Hola, ${name}:`),
    open: 'Abrir mi plan',
    link: 'El enlace sirve una vez, durante cuatro días. Después, abre tu plan en tu portal.',
    foot: ({ creditor: { name, address, supportEmail } }) =>
      `${name} te presta el dinero. Dirección postal: ${address}. Preguntas: ${supportEmail}`,
    types: {
      'installment.upcoming': ({ amount, day, variant, method, cardEnd }) => ({
        subject: `${amount} vence el ${day}`,
        lines: [
          `Tu próximo pago de ${sustantivo(variant)}, ${amount}, vence el ${day}.`,
          ...(method === null ? [] : [`Lo cobraremos ese día${desde(method)}.`]),
          ...(cardEnd === null
            ? []
            : [
                `Tu tarjeta vence en ${cardEnd.month}. Tu último pago es el ${cardEnd.lastDay}. Elige otra forma de pago para él.`,
              ]),
          'Puedes pagar ahora, cambiar el día o la forma de pago.',
        ],
      }),
      'installment.failed': ({ amount, again, takenBack, variant, method }) => ({
        subject: takenBack
          ? `Tu banco retiró tu pago de ${amount}`
          : `No se pudo cobrar tu pago de ${amount}`,
        lines: [
          takenBack
            ? `Tu banco retiró un pago de ${sustantivo(variant)}, ${amount}, que ya habías hecho. Hay que pagarlo otra vez. No hay recargo por atraso.`
            : `Tu banco rechazó tu pago de ${sustantivo(variant)}, ${amount}${desde(method)}. No hay recargo por atraso.`,
          again === null
            ? 'Págalo desde tu plan cuando puedas, o usa otra cuenta o tarjeta.'
            : `Lo intentaremos otra vez el ${again}. Para pagar antes, o de otra forma, abre tu plan.`,
        ],
      }),
      'installment.paid': ({ amount, variant, method }) => ({
        subject: `Recibo: ${amount}, pagado`,
        lines: [
          `Recibimos tu pago de ${sustantivo(variant)}, ${amount}${desde(method)}. Gracias.`,
          'En tu plan ves lo que falta, y cuándo.',
        ],
      }),
    },
  },
};

/** Never with the last four digits: the page behind the mail's link asks for them. */
function from(method: Letter['method']): string {
  if (method === null) return '';
  const { brand } = method;
  return ` from your ${brand === null ? 'bank account' : `${cardBrands[brand]} card`}`;
}

function desde(method: Letter['method']): string {
  if (method === null) return '';
  const { brand } = method;
  return `, de tu ${brand === null ? 'cuenta' : `tarjeta ${cardBrands[brand]}`}`;
}

function noun(variant: ProductVariant): string {
  return variant === 'hoa' ? 'association dues' : 'rent';
}

function sustantivo(variant: ProductVariant): string {
  return variant === 'hoa' ? 'cuotas de la asociación' : 'renta';
}
