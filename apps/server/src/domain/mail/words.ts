import type { Locale } from '@svc/contract';
import type { MailType } from '../events/queue-mails.ts';

interface Facts {
  readonly amount: string;
  readonly day: string;
  /** "rent" or "dues", as the tenant knows it. */
  readonly variant: 'rent' | 'hoa';
  /** The day of the next attempt at a failed payment; null when there is none. */
  readonly again: string | null;
  readonly lender: string;
  readonly support: string;
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
    foot: ({ lender, support }) => `${lender} lends to you. Questions: ${support}`,
    types: {
      'installment.upcoming': ({ amount, day, variant }) => ({
        subject: `${amount} is due on ${day}`,
        lines: [
          `Your next ${noun(variant)} payment of ${amount} is due on ${day}.`,
          'You can pay now, move the day, or change the account it comes from.',
        ],
      }),
      'installment.failed': ({ amount, again, variant }) => ({
        subject: `Your payment of ${amount} did not go through`,
        lines: [
          `Your bank did not make your ${noun(variant)} payment of ${amount}. There is no late fee.`,
          again === null
            ? 'Pay it from your plan when you can, or use another account.'
            : `We try once more on ${again}. To pay before then, or from another account, open your plan.`,
        ],
      }),
      'installment.paid': ({ amount, variant }) => ({
        subject: `Receipt: ${amount} paid`,
        lines: [
          `We have received your ${noun(variant)} payment of ${amount}. Thank you.`,
          'What is left, and when, stands in your plan.',
        ],
      }),
    },
  },
  es: {
    greeting: (name) => (name === '' ? 'Hola:' : `Hola, ${name}:`),
    open: 'Abrir mi plan',
    link: 'El enlace sirve una vez, durante cuatro días. Después, abre tu plan en tu portal.',
    foot: ({ lender, support }) => `${lender} te presta el dinero. Preguntas: ${support}`,
    types: {
      'installment.upcoming': ({ amount, day, variant }) => ({
        subject: `${amount} vence el ${day}`,
        lines: [
          `Tu próximo pago de ${sustantivo(variant)}, ${amount}, vence el ${day}.`,
          'Puedes pagar ahora, cambiar el día o usar otra cuenta.',
        ],
      }),
      'installment.failed': ({ amount, again, variant }) => ({
        subject: `Tu pago de ${amount} no se hizo`,
        lines: [
          `Tu banco no hizo tu pago de ${sustantivo(variant)}, ${amount}. No hay recargo por atraso.`,
          again === null
            ? 'Págalo desde tu plan cuando puedas, o usa otra cuenta.'
            : `Lo intentamos otra vez el ${again}. Para pagar antes, o desde otra cuenta, abre tu plan.`,
        ],
      }),
      'installment.paid': ({ amount, variant }) => ({
        subject: `Recibo: ${amount}, pagado`,
        lines: [
          `Recibimos tu pago de ${sustantivo(variant)}, ${amount}. Gracias.`,
          'Lo que falta, y cuándo, está en tu plan.',
        ],
      }),
    },
  },
};

function noun(variant: 'rent' | 'hoa'): string {
  return variant === 'hoa' ? 'association dues' : 'rent';
}

function sustantivo(variant: 'rent' | 'hoa'): string {
  return variant === 'hoa' ? 'cuotas de la asociación' : 'alquiler';
}
