import type { ProductVariant } from '@svc/contract';
import type { DocumentWords } from './document-words.ts';

/** The landlord or association that collects the payment. */
const recipient = (variant: ProductVariant) =>
  variant === 'hoa' ? 'tu asociación' : 'tu arrendador';

export const esDocuments: DocumentWords = {
  product: (month, variant, isShared) =>
    `${variant === 'hoa' ? 'Cuotas' : isShared ? 'Parte de la renta' : 'Renta'} de ${month}`,
  planNumber: 'Número de plan',
  tenant: 'Nombre',
  agreement: {
    title: 'Contrato del plan de pagos',
    accepted: (day) => `Aceptaste este contrato el ${day}. Ya no se puede cambiar.`,
    offered: 'Todavía no has aceptado este contrato. No se te cobrará nada hasta que lo aceptes.',
    version: (sha256) => `Identificador del documento: ${sha256}`,
  },
  receipt: {
    title: (day) => `Recibo del ${day}`,
    bar: (number, count) => `Pago ${number} de ${count}`,
    paid: 'Monto pagado',
    returned: 'También se te reembolsó',
    on: 'Fecha de pago',
    from: 'Pagado con',
    forWhat: 'Concepto',
    forText: (what, payee, variant) => `${what}, a ${payee ?? recipient(variant)}`,
    lender: 'Recibido por',
    number: 'Número de recibo',
  },
  notice: {
    title: 'Aviso de nuestra decisión',
    action: 'Decisión',
    actionTaken: 'Solicitud de un plan de pagos rechazada',
    applicant: 'Solicitante',
    amount: 'Monto solicitado',
    decided: (day, creditor) => `Decisión del ${day}, tomada por ${creditor}.`,
    reasons: 'Razones principales',
    rights: 'Tus derechos',
  },
  calendar: {
    title: (amount, product) => `Vence un pago: ${amount} (${product})`,
    description: ({ name, supportEmail }) =>
      `Este pago a ${name} vence hoy. ¿Preguntas? Escribe a ${supportEmail}`,
  },
  payoff: {
    title: 'Tu plan está pagado por completo',
    lead: (day) => `Terminaste de pagar este plan el ${day}. No debes nada de él.`,
    agreedOn: 'Aceptado el',
    forWhat: 'Concepto',
    agreed: 'Total de pagos acordado',
    credited: (variant) => `Créditos de ${recipient(variant)}`,
    waived: 'Tarifa que te perdonamos',
    paid: 'Pagado',
    refunded: 'Reembolsado',
    owed: 'Por pagar',
    payments: 'Tus pagos',
    closing: ({ name, supportEmail }) =>
      `${name} confirma que en la fecha indicada arriba no se debe nada de este plan. Si un banco revierte un pago más adelante, el plan se abrirá otra vez y te avisaremos. ¿Tienes preguntas? Escribe a ${supportEmail}.`,
  },
  statement: {
    title: (year) => `Estado de cuenta de ${year}`,
    lead: (year) =>
      `Todo lo que pagaste en tus planes de pagos y lo que se te reembolsó del 1 de enero al 31 de diciembre de ${year}.`,
    fees: 'Cargos incluidos en estos pagos',
    payments: 'Pagos y reembolsos',
    payment: (number) => `Pago ${number}`,
    takenBack: (number) => `Pago ${number}, revertido por el banco`,
    refund: 'Reembolso',
    credit: (variant) => `Crédito de ${recipient(variant)}`,
    feeWaiver: 'Tarifa que te perdonamos',
    nothing: 'No hubo pagos en este año.',
    closing: ({ supportEmail }) =>
      `Cada monto aparece en el día en que se pagó o se reembolsó. ¿Tienes preguntas? Escribe a ${supportEmail}.`,
  },
  columns: {
    day: 'Fecha',
    what: 'Concepto',
    paid: 'Pagado',
    refunded: 'Reembolsado',
    credited: 'Crédito',
    total: 'Total',
  },
};
