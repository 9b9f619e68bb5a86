import type { ProductVariant } from '@svc/contract';
import type { MailFacts, Words } from './words.ts';

export const es: Words = {
  mail: {
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
      'installment.failed': ({ amount, again, reversed, variant, method }) => ({
        subject: reversed
          ? `Tu banco retiró tu pago de ${amount}`
          : `No se pudo cobrar tu pago de ${amount}`,
        lines: [
          reversed
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
  agreement: (
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
  notice: {
    reasons: {
      income_too_low: 'Los ingresos son bajos para esta cantidad',
      account_too_new: 'Llevas poco tiempo viviendo ahí',
      past_plan_unpaid: 'Un plan anterior no se pagó completo',
      unable_to_verify: 'No pudimos comprobar la información que diste',
    },
    rights:
      'La ley federal de Igualdad de Oportunidades de Crédito (Equal Credit Opportunity Act) prohíbe a los acreedores discriminar a quien solicita crédito por raza, color, religión, origen nacional, sexo, estado civil o edad (si la persona tiene capacidad para firmar un contrato); porque todo o parte de su ingreso viene de un programa de asistencia pública; o porque ejerció de buena fe un derecho de la ley de Protección del Crédito al Consumidor (Consumer Credit Protection Act). La agencia federal que vigila que este acreedor cumpla esta ley es: Federal Trade Commission, Equal Credit Opportunity, Washington, DC 20580.',
  },
};

/** Never the last four digits: the page behind the mail's link asks for them. */
function desde(method: MailFacts['method']): string {
  if (method === null) return '';
  return `, de tu ${method.brand === null ? 'cuenta' : `tarjeta ${method.brand}`}`;
}

function sustantivo(variant: ProductVariant): string {
  return variant === 'hoa' ? 'cuotas de la asociación' : 'renta';
}
