import type { Words } from '../en.ts';

export const link: Pick<Words, 'link' | 'confirm'> = {
  link: {
    title: 'Ve tu plan de pagos',
    text: 'Tu plan se abre en esta página.',
    once: 'Este enlace sirve una sola vez. También puedes ver tu plan en tu portal.',
    action: 'Abrir mi plan',
  },
  confirm: {
    portalTitle: (portal) => `Continúa en ${portal}`,
    portalLead:
      'Abriste esta página desde un correo, así que aquí solo puedes ver tu plan. Para pagar o cambiar algo, entra a tu portal.',
    portalAction: (portal) => `Ir a ${portal}`,
    title: 'Confirma que eres tú',
    lead: 'Abriste esta página desde un correo. Antes de pagar o cambiar algo, contesta dos preguntas.',
    last4: 'Últimos cuatro dígitos de la cuenta o tarjeta con la que pagas',
    last4Hint: 'Están en tu tarjeta o en tu estado de cuenta.',
    last4Error: 'Escribe cuatro dígitos.',
    tries: (left) => (left === 1 ? 'Te queda un intento.' : `Tienes ${left} intentos.`),
    wrong: (left) =>
      left === 1
        ? 'La fecha o los dígitos no coinciden con nuestros datos. Te queda un intento.'
        : `La fecha o los dígitos no coinciden con nuestros datos. Te quedan ${left} intentos.`,
    action: 'Continuar',
  },
};
