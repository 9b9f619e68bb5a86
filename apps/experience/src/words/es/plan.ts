import type { Words } from '../en.ts';

/** De la elección de los pagos al recibo. */
export const plan: Pick<Words, 'choice' | 'consent' | 'done' | 'calendar'> = {
  choice: {
    title: '¿Cómo quieres dividirlo?',
    legend: 'Número de pagos',
    schedule: 'Tus pagos',
    from: 'Pagas desde',
    change: 'Cambiar',
    changeLabel: 'Cambiar la forma de pago',
    payeeGets: (payee) => `${payee} recibe`,
    payeeGetsValue: (amount, day) => `${amount} a más tardar el ${day}`,
    warnings: {
      would_land_late: (payee) =>
        `Nuestro pago a ${payee} puede llegar cuando ya cobran recargos por atraso.`,
      card_ends_early: (month, day) =>
        `Tu tarjeta vence en ${month}. Tu último pago es el ${day}: necesitas otra forma de pagarlo.`,
    },
    action: (count) => `Seguir con ${count} pagos`,
  },
  consent: {
    title: 'Revísalo y acepta',
    box: 'El costo de tu crédito',
    apr: 'Tasa anual (APR)',
    aprNote: 'El costo de tu crédito como tasa anual',
    charge: 'Cargo financiero',
    chargeNote: 'Lo que te cuesta el crédito en dólares',
    financed: 'Cantidad financiada',
    financedNote: 'El crédito que recibes o que se paga por ti',
    total: 'Total de pagos',
    totalNote: 'Lo que habrás pagado después de todos los pagos',
    schedule: 'Calendario de pagos',
    text: 'El contrato',
    save: 'Guardar una copia',
    file: 'contrato',
    paper: 'Contrato de pago',
    version: (sha256) => `Copia ${sha256}`,
    agree: 'Leí el contrato y lo acepto.',
    agreeNote: (lender, account) =>
      `Así permites que ${lender} cobre estos pagos de tu ${account} en estos días.`,
    agreeError: 'Marca la casilla para aceptar. Sin ella no se cobra nada.',
    action: (amount) => `Aceptar y pagar ${amount} hoy`,
  },
  done: {
    lead: (amount, account) => `Hoy salen ${amount} de tu ${account}.`,
    next: 'Lo que pasa ahora',
    steps: (payee, amount, day, first) => [
      day === null
        ? `${payee} recibe ${amount} de nosotros.`
        : `${payee} recibe ${amount} de nosotros a más tardar el ${day}.`,
      `Para ${payee} es un solo pago normal.`,
      first === null
        ? 'No tienes que pagar nada más.'
        : `Tu próximo pago es el ${first}. No tienes que hacer nada.`,
    ],
    schedule: 'Tus pagos',
    calendar: 'Agregar a mi calendario',
    see: 'Ver mi plan',
    close: 'Listo',
  },
  calendar: {
    file: 'pagos.ics',
    title: (number, all, amount, name) => `Pago ${number} de ${all}: ${amount} (${name})`,
    description: (lender, email) => `${lender} cobra este pago de tu cuenta. Ayuda: ${email}`,
  },
};
