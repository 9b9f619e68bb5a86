import type { Words } from './en.ts';
import { apply } from './es/apply.ts';
import { link } from './es/link.ts';
import { manage } from './es/manage.ts';
import { plan } from './es/plan.ts';
import { stop } from './es/stop.ts';

const product: Words['product'] = {
  rent: {
    name: 'renta',
    yours: 'tu renta',
    payee: 'tu arrendador',
    portal: 'tu portal de inquilinos',
    split: 'Tu renta está dividida',
  },
  share: {
    name: 'renta (tu parte)',
    yours: 'tu parte de la renta',
    payee: 'tu arrendador',
    portal: 'tu portal de inquilinos',
    split: 'Tu parte de la renta está dividida',
  },
  hoa: {
    name: 'cuotas',
    yours: 'tus cuotas',
    payee: 'tu asociación',
    portal: 'tu portal de propietarios',
    split: 'Tus cuotas están divididas',
  },
};

/** All words on screen, in the Spanish of the United States, with «tú». */
export const es: Words = {
  product,
  documentTitle: 'Pago en partes',
  back: 'Volver',
  close: 'Cerrar',
  backToPortal: (variant) => `Volver a ${product[variant].portal}`,
  tryAgain: 'Intentar de nuevo',
  goOn: 'Continuar',
  checkAgain: 'Consultar de nuevo',
  loading: 'Cargando',
  sending: 'Enviando. Espera un momento.',
  stepOf: (now, all) => `${now} de ${all}`,
  stepWord: 'Paso',
  today: 'Hoy',
  sandbox: {
    mark: 'Sandbox (prueba)',
    note: 'no se mueve dinero real',
    date: (day) => `fecha simulada: ${day}`,
  },
  help: (lender) => `Un servicio de ${lender}, que presta el dinero. ¿Necesitas ayuda?`,
  cost: {
    known: (total, part, name, fee, apr) =>
      `${total} en total: ${part} de ${name} y ${fee} de cargo (APR ${apr}).`,
    credited: (total, agreed, credit, payee, apr) =>
      `${total} en total: ${agreed} menos un crédito de ${credit} de ${payee} (APR ${apr}).`,
    estimate: (total, part, name, fee) =>
      `${total} en total: ${part} de ${name} y ${fee} de cargo. Verás la APR antes de aceptar.`,
  },
  credited: (amount) => `${amount} de crédito`,
  partlyPaid: (amount) => `${amount} pagados`,
  paymentNumber: (number) => `Pago ${number}`,
  payments: (count) => (count === 1 ? '1 pago' : `${count} pagos`),
  paymentsWord: 'pagos',
  firstAndFee: (part, fee) => `${part} y ${fee} de cargo`,
  left: (amount) => `Después quedan ${amount}`,
  nothingLeft: 'Después no queda nada',
  paymentState: {
    scheduled: '',
    processing: 'En camino',
    paid: 'Pagado',
    failed: 'No se pudo cobrar',
    overdue: 'Atrasado',
    canceled: 'Cancelado',
  },
  steps: {
    offer: 'Oferta',
    application: 'Solicitud',
    payment_method: 'Cuenta',
    decision: 'Decisión',
    plan_choice: 'Pagos',
    consent: 'Contrato',
    done: 'Listo',
    declined: 'Decisión',
    manage: 'Plan',
    blocked: 'Ahora no',
  },

  ...apply,
  ...plan,
  ...manage,
  ...stop,
  ...link,
};
