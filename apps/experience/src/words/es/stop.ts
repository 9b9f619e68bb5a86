import type { Words } from '../en.ts';

/** Donde no se sigue: un rechazo, por qué ahora no, una falla. */
export const stop: Pick<Words, 'declined' | 'blocked' | 'notices' | 'refusedFields' | 'trouble'> = {
  declined: {
    title: (yours) => `Esta vez no podemos dividir ${yours}`,
    lead: 'No se cobró nada y no nos debes nada.',
    next: 'Lo que puedes hacer',
    pay: (yours, day) =>
      day === null
        ? `Paga ${yours} en tu portal, como siempre.`
        : `Paga ${yours} en tu portal, como siempre, a más tardar el ${day}.`,
    again: (day) => `Puedes solicitar de nuevo desde el ${day}.`,
    ask: (email) => `¿Crees que nos equivocamos? Escribe a ${email}.`,
    notice: 'Tu aviso',
    decided: (day, creditor) => `Decidido el ${day} por ${creditor}.`,
    reasons: 'Razones principales',
    rights: 'Tus derechos',
    save: 'Guardar el aviso',
    print: 'Imprimir',
    file: 'aviso',
    paper: 'Aviso de nuestra decisión',
    privacy: (payee) => `No le decimos estas razones a ${payee}.`,
  },
  blocked: {
    what: 'Lo que puedes hacer',
    reasons: {
      past_due_balance: {
        title: 'Un mes anterior sigue sin pagar',
        text: 'Podemos dividir este mes cuando los meses anteriores estén pagados.',
        todo: 'Paga el saldo anterior en tu portal y abre esto de nuevo.',
      },
      security_deposit_open: {
        title: 'Tu depósito de garantía sigue sin pagar',
        text: 'Hay que pagar el depósito antes de dividir un mes.',
        todo: 'Paga el depósito en tu portal y abre esto de nuevo.',
      },
      late_fee_open: {
        title: 'Un recargo por atraso sigue sin pagar',
        text: 'Podemos dividir este mes cuando el recargo esté pagado.',
        todo: 'Paga el recargo en tu portal y abre esto de nuevo.',
      },
      payments_disabled: {
        title: 'Tus pagos en línea están desactivados',
        text: 'Los desactivó la administración de tu portal.',
        todo: 'Pide allí que los activen y abre esto de nuevo.',
      },
      open_plan: {
        title: 'Tienes un plan que no has terminado de pagar',
        text: 'Un plan a la vez: el próximo mes se puede dividir cuando este termine.',
        todo: 'Haz los pagos que faltan. Después vuelve aquí.',
      },
      amount_above_cap: {
        title: 'Es más de lo que podemos dividir',
        text: 'Tu saldo pasa del máximo que podemos dividir.',
        todo: 'Paga primero una parte en tu portal. Quizás el resto se pueda dividir.',
      },
      amount_below_minimum: {
        title: 'Es muy poco para dividirlo',
        text: 'Tu saldo no llega al mínimo que podemos dividir.',
        todo: 'Págalo en tu portal, como siempre.',
      },
      nothing_due: {
        title: 'Ahora no debes nada',
        text: 'No hay saldo que dividir.',
        todo: 'Vuelve cuando la próxima cuenta esté en tu portal.',
      },
      would_land_late: {
        title: 'Ya es tarde para dividir este mes',
        text: 'Nuestro pago llegaría después del día de recargos. No vendemos un plan que te haga pagar tarde.',
        todo: 'Paga hoy en tu portal para evitar el recargo. El próximo mes, ven antes del día de pago.',
      },
      declined_until: {
        title: 'Podrás solicitar de nuevo más adelante',
        text: 'Tu última solicitud no se aprobó. No se cobró nada.',
        todo: 'Paga en tu portal, como siempre, hasta el día de abajo.',
      },
      lease_ended: {
        title: 'Tu contrato de renta termina antes de este pago',
        text: 'Solo podemos dividir un pago mientras vives aquí.',
        todo: 'Paga en tu portal, como siempre. Si la fecha de tu contrato no es correcta, pregunta allí.',
      },
      not_monthly: {
        title: 'Estas cuotas no se cobran cada mes',
        text: 'Solo podemos dividir cuotas que se cobran cada mes.',
        todo: 'Págalas en tu portal, como siempre.',
      },
      payments_unavailable: {
        title: 'Todavía no puedes pagar a plazos',
        text: 'Este servicio aún no puede recibir pagos, así que no podemos ofrecerte un plan. No te pedimos ningún dato.',
        todo: 'Paga en tu portal, como siempre.',
      },
      cycle_opens: {
        title: 'Es pronto para dividir esta cuenta',
        text: 'Una cuenta se puede dividir en los días cercanos a su fecha de pago.',
        todo: 'Vuelve el día de abajo. Hasta entonces no tienes que hacer nada.',
      },
      cycle_closed: {
        title: 'Ya es tarde para dividir esta cuenta',
        text: 'Una cuenta se puede dividir en los días cercanos a su fecha de pago.',
        todo: 'Paga en tu portal, como siempre. La próxima vez, ven cerca del día de pago.',
      },
    },
    payFirst: 'Para pagar primero',
    balance: 'Tu saldo',
    due: 'Vence',
    limits: 'Podemos dividir',
    range: (least, most) => `de ${least} a ${most}`,
    opens: 'Puedes dividirlo desde',
    again: 'Puedes solicitar de nuevo desde',
    seePlan: 'Ver mi plan',
  },
  notices: {
    network: {
      title: 'No pudimos conectar con el servicio',
      text: 'No se movió dinero. Revisa tu conexión e intenta de nuevo.',
    },
    network_plan: {
      title: 'La conexión se cortó antes de la respuesta',
      text: 'Todavía no sabemos si se hizo tu primer pago. Presiona el botón otra vez: no se te puede cobrar dos veces.',
    },
    network_pay: {
      title: 'La conexión se cortó antes de la respuesta',
      text: 'Todavía no sabemos si se hizo tu pago. Presiona el botón otra vez: no se te puede cobrar dos veces.',
    },
    server: {
      title: 'Algo falló de nuestro lado',
      text: 'No se movió dinero. Intenta de nuevo en un momento.',
    },
    refused: {
      title: 'Esto no se pudo hacer',
      text: 'No se movió dinero. Intenta de nuevo o escríbenos: la dirección está abajo.',
    },
    rate_limited: {
      title: 'Fueron muchos intentos',
      text: (seconds) => `No se movió dinero. Espera ${seconds} segundos y luego intenta de nuevo.`,
    },
    payment_failed: {
      title: (label) => `Tu banco rechazó el pago (${label})`,
      text: 'No se movió dinero y no se hizo ningún plan. Paga de otra forma, o sigue así e intenta de nuevo.',
    },
    repayment_failed: {
      title: (label) => `Tu banco rechazó el pago (${label})`,
      text: 'Este pago no se hizo. Paga de otra forma, o intenta de nuevo más tarde.',
    },
    quotes_changed: {
      title: 'Tu oferta cambió',
      text: 'No se movió dinero. Aquí está la nueva; mírala otra vez.',
    },
    moved_on: {
      title: 'Esto ya estaba hecho',
      text: 'Ibas un paso adelante, quizás en otra ventana. Aquí es donde estás ahora.',
    },
    plan_changed: {
      title: 'Tu plan cambió mientras tanto',
      text: 'No se movió dinero. Así está ahora; míralo otra vez.',
    },
    paid: {
      title: (amount) => `${amount}: pagado`,
      text: 'Gracias. Los recibos están con tus documentos.',
    },
    moved: {
      title: 'El día cambió',
      text: (amount, day) => `Ahora ${amount} vence el ${day}.`,
    },
    autopay_on: {
      title: 'El pago automático está activado',
      text: 'Los días y las cantidades siguen igual.',
    },
    autopay_off: {
      title: 'El pago automático está desactivado',
      text: 'Los días y las cantidades siguen igual.',
    },
    canceled: {
      title: 'El plan está cancelado',
      text: 'No se mueve dinero. Todavía debes pagar en tu portal, o elige de nuevo.',
    },
    in_review: {
      title: 'Seguimos revisando',
      text: 'Esta página muestra la respuesta en cuanto llegue.',
    },
    bill_changed: {
      title: 'Tu cuenta cambió',
      text: 'El plan que hiciste se canceló. No se movió dinero. Elige de nuevo.',
    },
    account_changed: {
      title: 'Cambiaste la forma de pago',
      text: (label) => `Tus próximos pagos salen de tu ${label}.`,
    },
    reference: (id) => `Referencia ${id}`,
  },
  refusedFields: {
    date_of_birth: 'Esta fecha no ha pasado. Revisa el año.',
    'date_of_birth.too_young': 'Debes tener al menos 18 años para solicitarlo.',
    monthly_income_in_cents: 'Escribe una cantidad, como 4,000.',
    routing_number: 'Escribe los nueve dígitos de tu banco.',
    'routing_number.invalid_value':
      'No conocemos este banco. En el sandbox usa el banco de prueba, 110000000.',
    account_number: 'Escribe de 4 a 17 dígitos.',
    number: 'Revisa el número. Aceptamos tarjetas de débito Visa y Mastercard.',
    'number.not_accepted': 'Esta es una tarjeta de crédito. Usa una de débito.',
    expires: 'Escribe mes y año, como 09/28.',
    'expires.too_small': 'Esta tarjeta está vencida. Usa otra.',
    cvc: 'Escribe los tres dígitos del reverso.',
    last4: 'Escribe cuatro dígitos.',
    due_date: 'Ese día está ocupado o ya no está libre. Elige otro.',
  },
  trouble: {
    session_ended: {
      title: 'Se cerró tu sesión',
      text: 'Para protegerte, la cerramos después de un rato. Tu último paso no movió dinero, y no se perdió nada de lo que escribiste.',
      todo: 'Continúa desde donde estabas.',
    },
    link_over: {
      title: 'Abre tu plan en tu portal',
      text: 'Cada enlace de nuestros correos sirve una vez, por unos días. Para protegerte, también cerramos tu sesión después de un rato. No se movió dinero.',
      todo: 'El mismo plan está en tu portal de inquilinos o propietarios.',
    },
    link_blocked: {
      title: 'Este enlace ya no funciona',
      text: 'Las respuestas no coincidieron cinco veces, así que desactivamos este enlace. No se movió dinero.',
      todo: 'Todavía puedes abrir tu plan en tu portal de inquilinos o propietarios. Si necesitas ayuda, escríbenos a la dirección de abajo.',
    },
    left: {
      title: 'Puedes cerrar esta página',
      text: 'Tu plan queda como lo dejaste.',
      todo: 'Ábrelo cuando quieras en tu portal de inquilinos o propietarios.',
    },
    unreachable: {
      title: 'No podemos conectar con el servicio',
      text: 'No se movió dinero. Revisa tu conexión e intenta de nuevo.',
      todo: 'Si sigue fallando, paga en tu portal como siempre.',
    },
    broken: {
      title: 'Esta página dejó de funcionar',
      text: 'Es un error nuestro, no tuyo. Lo que aceptaste y lo que pagaste quedan como están.',
      todo: 'Si vuelve a pasar, paga en tu portal como siempre.',
    },
    refused: {
      title: 'Ahora no podemos abrir esto',
      text: 'No se movió dinero. Tu portal envió algo que no pudimos aceptar.',
      todo: 'Todavía puedes pagar en tu portal como siempre.',
    },
    unframed: {
      title: 'Abre esto en tu portal',
      text: 'Para protegerte, esta página funciona solo dentro de tu portal de inquilinos o propietarios.',
    },
  },
};
