import type { Phrase, SvcLocale } from './locale.ts';

/** Spanish as in the United States. */
export const es: SvcLocale & Record<Phrase, string> = {
  language: 'es-US',
  Balance: 'Saldo',
  'Association dues': 'Cuota de la asociación',
  'Split it into 2, 3 or 4 payments': 'Divídelo en 2, 3 o 4 pagos',
  'Nothing due': 'No debes nada',
  'Next payment on {date}': 'Próximo pago: {date}',
  'Your plan is active': 'Tu plan está activo',
  'Not available right now': 'No disponible por ahora',
  'Opening your options…': 'Abriendo tus opciones…',
  'That didn’t open. Try again': 'No se abrió. Inténtalo de nuevo',
  'See my options': 'Ver mis opciones',
  'See my plan': 'Ver mi plan',
  'Fees and terms apply. Subject to approval.': 'Aplican cargos y términos. Sujeto a aprobación.',
  'Payment options': 'Opciones de pago',
  Close: 'Cerrar',
  'Your options didn’t load': 'Tus opciones no se cargaron',
  'Your place is kept.': 'No perderás tu avance.',
  'Try again': 'Intentar de nuevo',
  '{count} payments of {amount}': '{count} pagos de {amount}',
  'First payment of {first} today with a {fee} fee, then every {days} days. APR {apr}. Subject to approval.':
    'Primer pago de {first} hoy con un cargo de {fee}, luego cada {days} días. APR {apr}. Sujeto a aprobación.',
  'First payment of {first} today, then every {days} days. No fee, APR 0%. Subject to approval.':
    'Primer pago de {first} hoy, luego cada {days} días. Sin cargo, APR 0%. Sujeto a aprobación.',
};
