import { cardBrands, type ProductVariant } from '@svc/contract';
import { esDocuments } from './es-documents.ts';
import { esSources } from './es-notice.ts';
import type { AgreementTerms, MailFacts, TextFacts, Words } from './words.ts';

const reasons = {
  income_too_low: 'Tus ingresos no son suficientes para el monto solicitado',
  account_too_new: 'Llevas muy poco tiempo en tu vivienda',
  past_plan_unpaid: 'No has pagado por completo un plan de pagos anterior con nosotros',
  unable_to_verify: 'No pudimos verificar la información que nos diste',
} as const;

const equalCreditNotice =
  'La ley federal de Igualdad de Oportunidades de Crédito (Equal Credit Opportunity Act) prohíbe a los acreedores discriminar a los solicitantes de crédito por motivo de raza, color, religión, origen nacional, sexo, estado civil o edad (siempre que el solicitante tenga capacidad legal para celebrar un contrato obligatorio); porque todo o parte de sus ingresos proviene de un programa de asistencia pública; o porque ejerció de buena fe un derecho de la ley de Protección del Crédito al Consumidor (Consumer Credit Protection Act). La agencia federal que vigila que este acreedor cumpla con esta ley es: Federal Trade Commission, Equal Credit Opportunity, Washington, DC 20580.';

const endingIn = (last4: string) => `terminada en ${last4}`;

const account: Words['account'] = ({ brand, last4 }) =>
  `${brand === null ? 'cuenta bancaria' : `tarjeta ${brand}`} ${endingIn(last4)}`;

export const es: Words = {
  retryReasons: {
    R01: 'no hay dinero suficiente en la cuenta bancaria',
    R09: 'el dinero de la cuenta bancaria todavía no está disponible',
    insufficient_funds: 'no hay dinero suficiente en la cuenta de la tarjeta',
    card_declined: 'la tarjeta se rechaza sin indicar un motivo',
    processing_error: 'el banco de la tarjeta no responde',
  },
  removed: '[eliminado]',
  electronicRecords: ({ name, address, supportEmail }) => [
    `Acepto recibir los avisos de ${name} por correo electrónico y en pantalla, en vez de en papel.`,
    'Qué incluye: la decisión sobre mi solicitud y sus razones, una copia de mi contrato y de cada cobro que autorizo, y cualquier otro aviso que la ley exige por escrito, para mis solicitudes y planes de pagos.',
    'Qué necesito: un teléfono, una tableta o una computadora con acceso a internet, un navegador actual, una dirección de correo electrónico, y una impresora o espacio para guardar copias.',
    `Copias en papel: puedo obtener gratis una copia en papel de cualquier aviso. Escribo a ${supportEmail} o a ${name}, ${address}.`,
    'Puedo cambiar de opinión cuando quiera, sin costo: en mi plan, en “Cómo recibes los avisos”, o si escribo a las mismas direcciones. Desde entonces los avisos llegan en papel. Mi solicitud, mi plan y lo que debo no cambian.',
    'Mi dirección de correo electrónico viene de mi portal de residentes o de propietarios. Si cambia, la cambio ahí.',
    'No tengo que aceptar esto para hacer una solicitud ni para obtener o mantener un plan de pagos.',
  ],
  endingIn,
  account,
  documents: esDocuments,
  texts: {
    consent: ({ lender, email }) =>
      `Acepto que ${lender} me envíe mensajes de texto automáticos sobre mis planes de pago a este número: un recordatorio antes de un pago y un mensaje cuando un pago no se pueda cobrar o esté atrasado. Hasta 10 mensajes al mes. Pueden aplicarse tarifas de mensajes y datos. Puedo responder STOP para cancelar o HELP para recibir ayuda, o escribir a ${email}. No tengo que aceptar esto para obtener o mantener un plan de pagos.`,
    code: (code) =>
      `${code} es tu clave para recibir mensajes de tu plan de pagos. Sirve por 10 minutos. No la compartas.`,
    linkCode: (code) =>
      `${code} es tu clave para abrir tu pagina de pagos. Sirve por 10 minutos. No la compartas.`,
    stopped:
      'Ya no recibes mensajes de texto de tu plan de pagos. Los correos siguen llegando. Responde START para recibirlos otra vez.',
    started:
      'Recibes otra vez mensajes de tu plan de pagos. Responde STOP para cancelar o HELP para ayuda. Pueden aplicarse tarifas.',
    help: (email) =>
      `Mensajes de tu plan de pagos, hasta 10 al mes. Ayuda: ${email}. Pueden aplicarse tarifas. Responde STOP para cancelar.`,
    types: {
      'installment.upcoming': ({ day, autopay, details }) => {
        const payment = details === null ? 'Tu pago' : `Tu pago${ofDetails(details)}`;
        return autopay
          ? `${payment} se cobra el ${day}. Responde STOP para cancelar los mensajes.`
          : `${payment} vence el ${day}. Paga en tu plan. Responde STOP para cancelar los mensajes.`;
      },
      'installment.failed': ({ details }) =>
        `No pudimos cobrar tu pago${details === null ? '' : ofDetails(details)}. Abre tu plan para ver las opciones. Responde STOP para cancelar los mensajes.`,
      'plan.past_due': ({ details }) =>
        `Tu plan de pagos${details?.property ? ` de ${details.property}` : ''} tiene un pago atrasado. Abre tu plan para ver las opciones. Responde STOP para cancelar los mensajes.`,
    },
  },
  progress: ({ made, all, processing, failed, late, credited }) =>
    [
      `${made} de ${all} ${all === 1 ? 'pago hecho' : 'pagos hechos'}`,
      ...(processing === 0 ? [] : [`${processing} en proceso`]),
      ...(failed === 0 ? [] : [`${failed} sin cobrar`]),
      ...(late === 0 ? [] : [`${late} ${late === 1 ? 'atrasado' : 'atrasados'}`]),
      ...(credited === 0
        ? []
        : [`${credited} ${credited === 1 ? 'cubierto' : 'cubiertos'} por un crédito`]),
    ].join(' · '),
  mail: {
    greeting: (name) => (name === '' ? 'Hola:' : `Hola, ${name}:`),
    sender: (lender, brand) => (brand === '' ? lender : `${lender} para ${brand}`),
    link: (variant) =>
      `El botón funciona una sola vez, durante cuatro días. Después, abre tu plan desde tu ${portal(variant)}.`,
    foot: ({ name, address, supportEmail }, brand) =>
      `${brand === '' ? 'Préstamo' : `Planes de pagos en ${brand}. Préstamo`} otorgado por ${name}, ${address}. ¿Tienes preguntas? Escribe a ${supportEmail}.`,
    hiddenDigits:
      'Esta copia oculta los últimos dígitos de tu cuenta bancaria o tarjeta, porque el correo electrónico no es un lugar seguro para ellos. El contrato completo está en tu plan, en Documentos, donde puedes guardarlo o imprimirlo.',
    version: (sha256) => `Identificador del contrato completo (SHA-256): ${sha256}`,
    types: {
      'application.declined': ({ decline, reapply, creditor, variant }) => ({
        subject: 'Una decisión sobre tu solicitud',
        title: 'No podemos aprobar tu solicitud',
        preheader: 'El aviso explica por qué, y cuáles son tus derechos.',
        lines: [
          `Gracias por tu solicitud para pagar ${tuRenta(variant)} a plazos. Por ahora no podemos aprobarla. Paga ${tuRenta(variant)} en tu ${portal(variant)}, como siempre.`,
          'Este es tu aviso de la decisión:',
        ],
        rows: [
          ['Decisión', 'Solicitud de un plan de pagos rechazada'],
          ['Solicitante', decline?.applicant ?? ''],
          ...(decline?.amount ? [['Monto solicitado', decline.amount] as const] : []),
          ['Fecha', decline?.decidedOn ?? ''],
          ['Acreedor', `${creditor.name}, ${creditor.address}`],
          [
            decline?.reasons.length === 1 ? 'Razón principal' : 'Razones principales',
            (decline?.reasons ?? []).map((it) => `${it}.`).join(' '),
          ],
          ...(decline?.rows ?? []),
        ],
        after: [
          ...(decline?.paragraphs ?? []),
          decline?.rights ?? equalCreditNotice,
          `Puedes hacer otra solicitud a partir del ${reapply.full}. Si crees que nos equivocamos, escribe a ${creditor.supportEmail}.`,
        ],
        button: 'Ver el aviso',
      }),
      'plan.activated': ({ amount, left, next, method, variant, planNumber }) => ({
        subject: `Ya dividiste ${tuRenta(variant)}: aquí está tu contrato`,
        title: `Ya dividiste ${tuRenta(variant)}`,
        preheader: 'Guarda este correo: contiene el contrato de tu plan de pagos.',
        lines: [
          `Tu plan de pagos ya empezó. Pagaremos ${tuRenta(variant)} a través de tu ${portal(variant)}.`,
          ...(next === null
            ? []
            : [
                method === null
                  ? `Tu próximo pago es de ${next.amount} y vence el ${next.day.said}.`
                  : `Tu próximo pago es de ${next.amount} y vence el ${next.day.said}. Lo cobraremos automáticamente${fromMethod(method)}.`,
              ]),
        ],
        rows: [
          ['Primer pago', amount],
          ...leftRow(left),
          ...nextRow(next),
          ['Número de plan', planNumber],
        ],
        after: ['Tu contrato está abajo. Guárdalo para tus registros.'],
        button: 'Abrir mi plan',
      }),
      'plan.canceled': ({ amount, reason, variant, planNumber }) => ({
        subject: 'Tu plan de pagos no empezó',
        title: 'Tu plan de pagos no empezó',
        preheader:
          variant === 'hoa'
            ? 'Tus cuotas todavía no están pagadas.'
            : 'Tu renta todavía no está pagada.',
        lines: [
          reason === 'charges_changed'
            ? `El monto de ${tuRenta(variant)} cambió antes de que empezara tu plan de pagos, así que cancelamos el plan. No pagamos ${tuRenta(variant)}.`
            : reason === 'canceled_by_operator'
              ? `Cancelamos tu plan de pagos antes de que empezara. No pagamos ${tuRenta(variant)} y no nos debes nada.`
              : `Tu primer pago de ${amount} no se cobró, así que tu plan no empezó. No pagamos ${tuRenta(variant)} y no nos debes nada.`,
        ],
        rows: [
          ['Primer pago', amount],
          ['Número de plan', planNumber],
        ],
        after: [
          `Paga ${tuRenta(variant)} en tu ${portal(variant)}, o empieza otra vez ahí con otra cuenta bancaria o tarjeta. Si te cobramos algo por este plan, te lo reembolsaremos.`,
        ],
        button: 'Ver qué puedo hacer',
      }),
      'plan.payment_method': ({ method, autopay, left, planNumber, creditor }) => ({
        subject: 'Cambiaste tu forma de pago',
        title: 'Cambió tu forma de pago',
        preheader: 'Si no fuiste tú, avísanos de inmediato.',
        lines: [
          autopay
            ? `Nos autorizaste a cobrar automáticamente de tu ${methodKind(method)} los pagos que te quedan, cada uno en su fecha.`
            : `Harás los pagos que te quedan con tu ${methodKind(method)}. Los pagos automáticos están desactivados: tú haces cada pago.`,
        ],
        rows: [
          ['Forma de pago', capitalize(methodKind(method))],
          ...leftRow(left),
          ['Número de plan', planNumber],
        ],
        after: [
          'Para detener un pago automático, desactiva los pagos automáticos en tu plan al menos 3 días hábiles antes de su fecha.',
          `Si tú no hiciste este cambio, escribe de inmediato a ${creditor.supportEmail}.`,
        ],
        button: 'Revisar mi plan',
      }),
      'plan.refunded': ({
        credited,
        isFeeWaiver,
        refunded,
        left,
        isPaidOff,
        next,
        variant,
        planNumber,
      }) => ({
        subject:
          credited === null
            ? `Te reembolsaremos ${refunded}`
            : `Tu plan recibió un crédito de ${credited}`,
        title:
          credited === null
            ? `Recibirás un reembolso de ${refunded}`
            : `Un crédito redujo tu plan en ${credited}`,
        preheader: left === null ? 'Tu plan muestra los detalles.' : `Te quedan ${left} por pagar.`,
        lines: [
          ...(credited === null
            ? []
            : [
                isFeeWaiver
                  ? `Te perdonamos ${credited} de la tarifa de tu plan. Reduce lo que debes.`
                  : `Recibiste un crédito de ${credited} en ${tuRenta(variant)}. Reduce lo que debes, empezando por tu último pago.`,
              ]),
          ...(refunded === null
            ? []
            : [
                `Te reembolsaremos ${refunded} a la cuenta bancaria o tarjeta con la que pagaste. Los bancos suelen tardar de 5 a 10 días hábiles.`,
              ]),
          ...(isPaidOff ? ['No te queda nada por pagar de este plan.'] : []),
        ],
        rows: [
          ...(credited === null ? [] : [['Crédito', credited] as const]),
          ...(refunded === null ? [] : [['Reembolso', refunded] as const]),
          ...leftRow(left),
          ...nextRow(next),
          ['Número de plan', planNumber],
        ],
        after: [],
        button: 'Abrir mi plan',
      }),
      'plan.past_due': ({ left, variant, planNumber, creditor, pastDueDays }) => ({
        subject: 'Tu plan de pagos está atrasado',
        title: 'Tu plan de pagos está atrasado',
        preheader: `Un pago tiene ${pastDueDays} días de atraso. Puedes pagarlo ahora.`,
        lines: [
          `Un pago de ${rentOrDues(variant)} de tu plan tiene ${pastDueDays} días de atraso. A todos nos pasa, y no hay recargo por pago tardío. Cuando lo pagues, podrás volver a dividir ${tuRenta(variant)}.`,
        ],
        rows: [...leftRow(left), ['Número de plan', planNumber]],
        after: [`Paga ahora en tu plan. ${cannotPay(creditor)}`],
        button: 'Pagar ahora',
      }),
      'plan.completed': ({ amount, day, method, variant, planNumber }) => ({
        subject: `Recibo: pagaste ${amount} y terminaste tu plan`,
        title: 'Terminaste de pagar tu plan',
        preheader: 'Ese fue tu último pago. Gracias.',
        lines: [
          `Recibimos tu último pago de ${rentOrDues(variant)} de ${amount}${fromMethod(method)}. Tu plan está pagado por completo. Gracias.`,
        ],
        rows: [
          ['Monto pagado', amount],
          ['Vencimiento', day.full],
          ['Número de plan', planNumber],
        ],
        after: ['Ya no debes nada de este plan. Tus recibos y tu contrato siguen en tu plan.'],
        button: 'Ver mis recibos',
      }),
      'plan.charged_off': ({ left, planNumber, creditor, chargeOffDays }) => ({
        subject: 'Tu plan de pagos está cerrado con un saldo pendiente',
        title: 'Tu plan está cerrado, pero todavía debes un saldo',
        preheader: 'Escríbenos para pagarlo. No cobraremos pagos automáticamente.',
        lines: [
          `Un pago de tu plan tiene ${chargeOffDays} días de atraso, así que cerramos el plan. Todavía debes ${left ?? ''}. No cobraremos más pagos automáticamente.`,
        ],
        rows: [
          ['Todavía debes', left ?? ''],
          ['Número de plan', planNumber],
        ],
        after: [
          `Para pagarlo, todo junto o poco a poco, escribe a ${creditor.supportEmail} con tu número de plan.`,
        ],
        button: 'Ver mi plan',
      }),
      'experience.code': ({ code }) => ({
        subject: `Tu código es ${code}`,
        title: 'Tu código',
        preheader: 'Abre tu página de pagos y sirve por 10 minutos.',
        lines: [
          'Pediste este código en nuestra página. Sirve por 10 minutos. Escríbelo ahí para ver qué puedes hacer con tu pago.',
        ],
        rows: [['Código', code ?? '']],
        after: [
          'Si no lo pediste, puedes ignorar este correo. Nadie puede abrir la página sin el código, así que no lo compartas.',
        ],
        button: null,
      }),
      'installment.upcoming': ({ amount, day, variant, method, cardEnd, left, planNumber }) => ({
        subject: `Tu pago de ${amount} vence el ${day.said}`,
        title: `Tu pago de ${amount} vence el ${day.said}`,
        preheader:
          method === null
            ? 'Los pagos automáticos están desactivados: págalo en tu plan.'
            : `Lo cobraremos automáticamente${fromMethod(method)}.`,
        lines: [
          method === null
            ? `Tu próximo pago de ${rentOrDues(variant)} de ${amount} vence el ${day.said}. Los pagos automáticos están desactivados: págalo en tu plan.`
            : `Tu próximo pago de ${rentOrDues(variant)} de ${amount} vence el ${day.said}. Ese día lo cobraremos automáticamente${fromMethod(method)}.`,
          ...(cardEnd === null
            ? []
            : [
                `Tu tarjeta vence en ${cardEnd.month} y tu último pago es el ${cardEnd.lastDay.said}. Elige otra forma de pago antes de esa fecha.`,
              ]),
        ],
        rows: [
          ['Monto', amount],
          ['Vence', day.full],
          ...(method === null ? [] : [['Forma de pago', capitalize(methodKind(method))] as const]),
          ...leftRow(left),
          ['Número de plan', planNumber],
        ],
        after: ['Puedes pagar ahora, cambiar la fecha del pago o cambiar tu forma de pago.'],
        button: method === null ? `Pagar ${amount}` : 'Abrir mi plan',
      }),
      'installment.failed': (facts) => {
        const { amount, day, again, reversed, variant, method, autopay, planNumber, creditor } =
          facts;
        const why = bankReason(facts.returnCode);
        return {
          subject: reversed
            ? `Tu banco devolvió tu pago de ${amount}`
            : `No se cobró tu pago de ${amount}`,
          title: reversed
            ? `Tu banco devolvió tu pago de ${amount}`
            : `No se cobró tu pago de ${amount}`,
          preheader:
            again === null
              ? 'Págalo en tu plan. No hay recargo por pago tardío.'
              : `Lo intentaremos otra vez el ${again.said}. No hay recargo por pago tardío.`,
          lines: [
            reversed
              ? `Tu banco devolvió un pago de ${rentOrDues(variant)} de ${amount} que ya habías hecho, así que lo debes otra vez.`
              : `Tu pago de ${rentOrDues(variant)} de ${amount}${fromMethod(method)} no se cobró.`,
            ...(why === null ? [] : [why]),
            again === null
              ? 'No lo intentaremos otra vez automáticamente. Págalo en tu plan cuando puedas, o usa otra cuenta bancaria o tarjeta.'
              : `Lo intentaremos otra vez el ${again.said}. Para pagar antes, o de otra forma, abre tu plan.`,
            ...(again === null && !autopay && method !== null
              ? [
                  'Los pagos automáticos quedaron desactivados: tú haces cada pago hasta que los actives otra vez.',
                ]
              : []),
          ],
          rows: [
            ['Monto', amount],
            ['Venció', day.full],
            ...(again === null ? [] : [['Próximo intento', again.full] as const]),
            ['Recargo por pago tardío', 'Ninguno'],
            ['Número de plan', planNumber],
          ],
          after: [cannotPay(creditor)],
          button: `Pagar ${amount}`,
        };
      },
      'installment.paid': ({ amount, day, variant, method, rest, left, next, planNumber }) => ({
        subject: `Recibo: pagaste ${amount}`,
        title: `Pagaste ${amount}`,
        preheader: rest
          ? `Gracias. Todavía debes ${rest.amount} de este pago.`
          : next === null
            ? 'Gracias.'
            : `Gracias. Tu próximo pago es de ${next.amount} y vence el ${next.day.said}.`,
        lines: rest
          ? [
              `Recibimos ${amount}${fromMethod(method)}, una parte de tu pago de ${rentOrDues(variant)} con vencimiento el ${day.said}. Gracias.`,
              rest.automatic
                ? `Todavía debes los ${rest.amount} restantes. Los cobraremos automáticamente ese día.`
                : `Todavía debes los ${rest.amount} restantes. Págalos en tu plan.`,
            ]
          : [
              `Recibimos tu pago de ${rentOrDues(variant)} de ${amount}${fromMethod(method)}. Gracias.`,
            ],
        rows: [
          ['Monto pagado', amount],
          ['Vencimiento', day.full],
          ...(rest === null ? [] : [['Resto de este pago', rest.amount] as const]),
          ...leftRow(left),
          ...(next === null || (rest !== null && next.day.full === day.full)
            ? []
            : [['Próximo pago', `${next.amount} el ${next.day.full}`] as const]),
          ['Número de plan', planNumber],
        ],
        after: [],
        button: 'Abrir mi plan',
      }),
      'installment.rescheduled': ({
        amount,
        day,
        from,
        byOperator,
        autopay,
        planNumber,
        creditor,
      }) => ({
        subject: `Tu pago de ${amount} ahora vence el ${day.said}`,
        title: `Tu pago ahora vence el ${day.said}`,
        preheader: `Vencía el ${from.said}. El monto sigue siendo ${amount}.`,
        lines: [
          `${byOperator ? 'Como lo pediste, cambiamos' : 'Cambiaste'} la fecha de tu pago de ${amount}: del ${from.said} al ${day.said}. Nada más cambia en tu contrato.`,
          autopay
            ? 'Nos autorizaste a cobrarlo automáticamente en la nueva fecha.'
            : 'Los pagos automáticos están desactivados: págalo en tu plan a más tardar ese día.',
        ],
        rows: [
          ['Monto', amount],
          ['Vencía', from.full],
          ['Ahora vence', day.full],
          ['Número de plan', planNumber],
        ],
        after: [
          `Guarda este correo con tu contrato. Si tú no ${byOperator ? 'pediste' : 'hiciste'} este cambio, escribe a ${creditor.supportEmail}.`,
        ],
        button: 'Abrir mi plan',
      }),
      'autopay.enabled': ({ method, next, left, planNumber }) => ({
        subject: 'Activaste los pagos automáticos',
        title: 'Los pagos automáticos están activados',
        preheader: 'Cobraremos cada pago en su fecha.',
        lines: [
          `Nos autorizaste a cobrar cada pago de tu plan${fromMethod(method)}, automáticamente en su fecha.`,
        ],
        rows: [...nextRow(next), ...leftRow(left), ['Número de plan', planNumber]],
        after: [
          'Puedes desactivar los pagos automáticos cuando quieras. Para detener un pago, desactívalos al menos 3 días hábiles antes de su fecha.',
        ],
        button: 'Abrir mi plan',
      }),
      'autopay.disabled': ({ next, left, planNumber }) => ({
        subject: 'Los pagos automáticos están desactivados',
        title: 'Los pagos automáticos están desactivados',
        preheader: 'Desde ahora, tú haces cada pago.',
        lines: [
          next === null
            ? 'Ya no cobraremos pagos automáticamente. Tú haces cada pago, en tu plan.'
            : `Ya no cobraremos pagos automáticamente. Tu próximo pago de ${next.amount} vence el ${next.day.said}: hazlo en tu plan.`,
        ],
        rows: [...nextRow(next), ...leftRow(left), ['Número de plan', planNumber]],
        after: [
          'Puedes activarlos otra vez en tu plan. Tus pagos conservan sus fechas y sus montos.',
        ],
        button: 'Abrir mi plan',
      }),
    },
  },
  agreement: (facts, variant) => {
    const { creditor, terms, financed, fee } = facts;
    const [tu, arrendador] =
      variant === 'hoa'
        ? (['tus cuotas de la asociación', 'asociación'] as const)
        : (['tu renta', 'arrendador'] as const);
    const metodo = account(facts);
    return [
      {
        heading: 'Contrato del plan de pagos',
        blocks: [
          [
            `Número de plan: ${facts.planNumber}`,
            `Fecha de firma: ${facts.signedOn}`,
            `Prestatario: ${facts.borrower}`,
            ...(facts.home === null ? [] : [`Vivienda: ${facts.home}`]),
            `Prestamista: ${creditor.name}, ${creditor.address}`,
            ...(facts.license === null ? [] : [`Licencia del prestamista: ${facts.license}`]),
          ],
          'En este contrato, “tú” es el prestatario y “nosotros” es el prestamista.',
        ],
      },
      {
        heading: 'Divulgaciones de la ley de Veracidad en los Préstamos',
        blocks: [
          [
            `Acreedor: ${creditor.name}, ${creditor.address}`,
            `TASA DE PORCENTAJE ANUAL, APR (el costo de tu crédito como tasa anual): ${facts.apr}`,
            `CARGO FINANCIERO (lo que te costará el crédito, en dólares): ${facts.charge}`,
            `Monto financiado (el monto del crédito que se te da o se paga en tu nombre): ${financed}`,
            `Total de pagos (lo que habrás pagado después de hacer todos los pagos programados): ${facts.total}`,
          ],
          `Tu calendario tiene ${facts.payments.length} pagos:`,
          facts.payments.map((it, index) => `${index + 1}. ${it}`),
          [
            'Pago tardío: No hay recargo por pago tardío.',
            'Pago anticipado: Si pagas antes, no tendrás que pagar una penalización. No se te reembolsará una parte del cargo financiero.',
          ],
          'Consulta el resto de este contrato para más información sobre la falta de pago, el incumplimiento, cualquier pago total exigido antes de la fecha programada, y los reembolsos y penalizaciones por pago anticipado.',
        ],
      },
      {
        heading: 'Desglose del monto financiado',
        blocks: [
          [
            `Pagado en tu nombre a tu ${arrendador}, a través de tu ${portal(variant)}, por ${tu}: ${financed}`,
            'Pagado directamente a ti: $0.00',
            'Abonado a tu crédito con nosotros: $0.00',
            `Monto financiado: ${financed}`,
          ],
        ],
      },
      {
        heading: 'Lo que te prestamos y lo que pagas',
        blocks: [
          `Te prestamos ${financed} para ${tu}. Tu ${portal(variant)} nos lo cobra a más tardar el ${facts.debitBy} y lo abona a ${tu}.`,
          `Tú nos lo devuelves con los pagos del calendario. También pagas una tarifa de ${fee} por el plan, con el primer pago. No cobramos intereses, ni recargos por pago tardío, ni tarifas por un pago rechazado. Tu banco puede cobrar sus propias tarifas.`,
          `El primer pago de ${facts.first} se cobra hoy de tu ${metodo}. Si no se puede cobrar, el plan no empieza y no nos debes nada según este contrato. Puedes cancelar el plan hasta que se haya cobrado el primer pago.`,
        ],
      },
      {
        heading: 'Pagos automáticos',
        blocks: [
          `Nos autorizas a cobrar cada pago del calendario, por su monto y en su fecha, de tu ${metodo}, o de otra cuenta bancaria o tarjeta que elijas después. Si mueves un pago, nos autorizas a cobrarlo en la nueva fecha. Si un crédito reduce un pago, cobramos el monto menor.`,
          retriesText(terms),
          `Los pagos automáticos son tu decisión. Puedes desactivarlos en tu plan cuando quieras y hacer tú cada pago, al mismo costo. Para detener un pago, desactívalos o escribe a ${creditor.supportEmail} al menos 3 días hábiles antes de su fecha. También puedes pedirle a tu banco que lo detenga, al menos 3 días hábiles antes.`,
          `Te enviaremos un correo electrónico ${dayCount(terms.remindDaysBefore)} antes de cada pago después del primero.`,
        ],
      },
      {
        heading: 'Mover un pago y pagar antes',
        blocks: [
          `Puedes mover un pago que todavía no has hecho a otro día hábil, sin costo. El nuevo día debe ser ${untilWhen(variant)} y estar al menos a ${dayCount(terms.daysApart)} de tus otros pagos.`,
          `Puedes pagar antes uno o todos los pagos, cuando quieras, sin penalización. La tarifa de ${fee} no se reembolsa.`,
          `Si tu ${arrendador} te da un crédito o un reembolso de una parte de ${tu}, el crédito reduce primero tus últimos pagos. Si es mayor que lo que debes, te reembolsaremos la diferencia a la cuenta bancaria o tarjeta con la que pagaste.`,
        ],
      },
      {
        heading: 'Si un pago no se puede cobrar o se atrasa',
        blocks: [
          'Te enviaremos un correo electrónico que dirá si lo intentaremos otra vez, y cuándo. Si no lo intentamos otra vez, tú haces el pago en tu plan. Debes el pago, pero ningún recargo por pago tardío. Tus otros pagos conservan sus fechas: no te pediremos pagar todo antes. Si tu banco devuelve un pago que ya se había cobrado, lo debes otra vez.',
          `${terms.pastDueDays} días de atraso: si un pago no se hace en los ${terms.pastDueDays} días después de su vencimiento, tu plan queda atrasado. No puedes volver a dividir ${tu} hasta que pagues lo atrasado.`,
          `${terms.chargeOffDays} días de atraso: si un pago no se hace en los ${terms.chargeOffDays} días después de su vencimiento, cerramos el plan y detenemos los pagos automáticos. Todavía debes lo que no has pagado. Escribe a ${creditor.supportEmail} para pagarlo.`,
          variant === 'hoa'
            ? 'Este contrato no cambia tus obligaciones con tu asociación.'
            : 'Este contrato no cambia tu contrato de arrendamiento.',
        ],
      },
      {
        heading: 'Documentos electrónicos y firma',
        blocks: [
          'Firmas al marcar la casilla y presionar el botón. Aceptas leer este contrato y sus divulgaciones en pantalla, donde puedes guardarlos e imprimirlos antes de firmar. También aceptas recibir en forma electrónica una copia de este contrato y todos los avisos sobre este plan, en tu plan y por correo electrónico, a menos que hayas elegido recibir los avisos en papel. Este consentimiento es solo para este plan.',
          'Necesitas un teléfono, una tableta o una computadora con acceso a internet, un navegador actual, una dirección de correo electrónico, y una impresora o espacio para guardar copias.',
          `Puedes obtener una copia gratis en papel: escribe a ${creditor.supportEmail} o a nuestra dirección postal. Puedes retirar tu consentimiento cuando quieras, sin costo: en tu plan, en “Cómo recibes los avisos”, o si escribes a las mismas direcciones. Si elegiste papel o retiras tu consentimiento, te enviamos los avisos en papel. Tu plan, y lo que debes, no cambian. Para cambiar tu dirección de correo electrónico, cámbiala en tu ${portal(variant)}.`,
        ],
      },
      {
        heading: 'Preguntas',
        blocks: [
          `Escribe a ${creditor.supportEmail}, o a ${creditor.name}, ${creditor.address}. Indica tu número de plan.`,
        ],
      },
    ];
  },
  military: (phone) => ({
    heading: 'Ley de préstamos a militares (Military Lending Act)',
    blocks: [
      'La ley federal da protecciones importantes a los miembros de las Fuerzas Armadas y a sus dependientes cuando se les otorga crédito al consumidor. En general, el costo del crédito al consumidor para un miembro de las Fuerzas Armadas y sus dependientes no puede superar una tasa de porcentaje anual del 36 por ciento. Esta tasa debe incluir, según corresponda a la operación o línea de crédito: los costos de las primas de seguros de crédito; los cargos por productos complementarios que se vendan con la operación de crédito; los cargos de solicitud que se cobren (salvo ciertos cargos de solicitud de operaciones o líneas de crédito específicas); y los cargos de participación que se cobren (salvo ciertos cargos de participación de una tarjeta de crédito).',
      ...(phone === null
        ? []
        : [
            `Para escuchar esta declaración y tus pagos por teléfono, llama al ${phone}. La llamada es gratis.`,
          ]),
      'Si una condición del contrato está prohibida por la ley Military Lending Act, no se aplica a ti. No tienes que resolver disputas por arbitraje y conservas todos tus derechos según las leyes estatales y federales, como la ley Servicemembers Civil Relief Act. No tienes que pagar con una asignación militar (allotment) ni con pagos automáticos, y puedes pagar antes sin penalización.',
    ],
  }),
  notice: { reasons, rights: equalCreditNotice, ...esSources },
};

/** Never the last four digits: the page behind the mail's link asks for them. */
function methodKind(method: MailFacts['method']): string {
  return method === null || method.brand === null
    ? 'cuenta bancaria'
    : `tarjeta ${cardBrands[method.brand]}`;
}

function fromMethod(method: MailFacts['method']): string {
  return method === null ? '' : ` de tu ${methodKind(method)}`;
}

/** Why the bank refused, if it helps the tenant to know. */
function bankReason(code: string | null): string | null {
  switch (code) {
    case 'R01':
    case 'R09':
      return 'No había dinero suficiente en la cuenta bancaria.';
    case 'insufficient_funds':
      return 'No había dinero suficiente en la cuenta de la tarjeta.';
    case 'R02':
      return 'La cuenta bancaria está cerrada: elige otra.';
    case 'R03':
    case 'R04':
      return 'El banco no encontró la cuenta bancaria: revisa su número o elige otra.';
    case 'expired_card':
      return 'La tarjeta está vencida: elige otra.';
    case 'lost_or_stolen':
      return 'La tarjeta se reportó como perdida o robada: elige otra.';
    default:
      return null;
  }
}

function cannotPay({ supportEmail }: MailFacts['creditor']): string {
  return `Si ahora no puedes pagarlo todo, escribe a ${supportEmail} y buscaremos una forma juntos.`;
}

/** After “pago de”. */
function rentOrDues(variant: ProductVariant): string {
  return variant === 'hoa' ? 'cuotas de la asociación' : 'renta';
}

function tuRenta(variant: ProductVariant): string {
  return variant === 'hoa' ? 'tus cuotas de la asociación' : 'tu renta';
}

/** The last day to move a payment to. Dues may be due every quarter or year, so it is said without the next ones. */
function untilWhen(variant: ProductVariant): string {
  return variant === 'hoa'
    ? 'menos de un mes después del vencimiento de tus cuotas de la asociación'
    : 'antes de que tu próxima renta venza';
}

function portal(variant: ProductVariant): string {
  return variant === 'hoa' ? 'portal de propietarios' : 'portal de residentes';
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function leftRow(left: MailFacts['left']) {
  return left === null ? [] : [['Por pagar', left] as const];
}

function nextRow(next: MailFacts['next']) {
  return next === null ? [] : [['Próximo pago', `${next.amount} el ${next.day.full}`] as const];
}

function retriesText({ retries, retryReasons }: AgreementTerms): string {
  if (retries === 0) {
    return 'Si un pago no se puede cobrar, no lo intentaremos otra vez automáticamente.';
  }
  const times =
    retries === 1
      ? 'una vez más, en un día hábil posterior'
      : `otra vez hasta ${retries} veces, en días hábiles posteriores`;
  return `Si un pago no se puede cobrar porque ${retryReasons}, nos autorizas a intentarlo ${times}. Si no se puede cobrar por cualquier otro motivo, no lo intentaremos otra vez automáticamente.`;
}

function ofDetails({ amount, property }: NonNullable<TextFacts['details']>): string {
  return property === null ? ` de ${amount}` : ` de ${amount} por ${property}`;
}

function dayCount(days: number): string {
  return days === 1 ? '1 día' : `${days} días`;
}
