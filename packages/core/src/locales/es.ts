import type { Phrase, SvcLocale } from './locale.ts';

/** Spanish as in the United States. */
export const es: SvcLocale & Record<Phrase, string> = {
  language: 'es-US',
  Balance: 'Saldo',
  'Association dues': 'Cuota de la asociación',
  Credit: 'Saldo a favor',
  'Split it into 2, 3 or 4 payments': 'Divídelo en 2, 3 o 4 pagos',
  'See my options': 'Ver mis opciones',
  'Fees and terms apply. Subject to approval.': 'Aplican cargos y términos. Sujeto a aprobación.',
  'Next payment on {date}': 'Próximo pago: {date}',
  'Your plan is active': 'Tu plan está activo',
  'See my plan': 'Ver mi plan',
  'The terms of your agreement apply.': 'Se aplican los términos de tu contrato.',
  'Nothing due': 'No debes nada',
  'See details': 'Ver detalles',
  'Come back when your next bill is due.': 'Vuelve cuando venza tu próxima factura.',
  'Not available right now': 'No disponible por ahora',
  'Not available until {date}': 'No disponible hasta el {date}',
  'See why': 'Ver por qué',
  'Your bill is due as usual.': 'Tu factura vence como siempre.',
  'Opening…': 'Abriendo…',
  'That didn’t open. Try again': 'No se abrió. Inténtalo de nuevo',
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
