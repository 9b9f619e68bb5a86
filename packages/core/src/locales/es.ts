import type { Phrase, SvcLocale } from './locale.ts';

/** Spanish as in the United States. */
export const es: SvcLocale & Record<Phrase, string> = {
  language: 'es-US',
  Balance: 'Saldo',
  'Association dues': 'Cuotas de la asociación',
  Credit: 'Saldo a favor',
  'Split it into 2, 3 or 4 payments': 'Divídelo en 2, 3 o 4 pagos',
  'See my options': 'Ver mis opciones',
  'Fees and terms apply. Subject to approval.':
    'Se aplican tarifas y condiciones. Sujeto a aprobación.',
  'Next payment on {date}': 'Próximo pago: {date}',
  'Your plan is active': 'Tu plan está activo',
  'See my plan': 'Ver mi plan',
  'The terms of your agreement apply.': 'Se aplican las condiciones de tu contrato.',
  'Nothing due': 'No debes nada',
  'See details': 'Ver detalles',
  'Check back when you have a balance.': 'Entra de nuevo cuando tengas saldo por pagar.',
  'Not available right now': 'No disponible por ahora',
  'Not available until {date}': 'No disponible hasta el {date}',
  'See why': 'Ver por qué',
  'Your balance is due as usual.': 'Tu saldo vence como siempre.',
  'Opening…': 'Abriendo…',
  'That didn’t open. Try again': 'No se abrió. Inténtalo de nuevo',
  'Payment options': 'Opciones de pago',
  Close: 'Cerrar',
  'Your options didn’t load': 'Tus opciones no se cargaron',
  'You won’t lose your place.': 'No perderás tu avance.',
  'Try again': 'Intentar de nuevo',
  '{count} payments of {amount}': '{count} pagos de {amount}',
  'First payment of {first} plus a {fee} fee today, then one every {days} days. {apr} APR. Subject to approval.':
    'Primer pago de {first} más una tarifa de {fee} hoy, y luego uno cada {days} días. APR de {apr}. Sujeto a aprobación.',
  'First payment of {first} today, then one every {days} days. No fee, 0% APR. Subject to approval.':
    'Primer pago de {first} hoy, y luego uno cada {days} días. Sin tarifa, APR de 0%. Sujeto a aprobación.',
};
