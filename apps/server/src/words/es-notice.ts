import type { NoticeWords } from './words.ts';

/** The sources of a decline, in the meaning of model form C-1 (12 CFR 1002, appendix C). */
export const esSources: Pick<NoticeWords, 'report' | 'fromOthers' | 'inEnglish'> = {
  report: ({ agency, score }) => [
    {
      heading: 'El informe de crédito que usamos',
      paragraphs: [
        'Nuestra decisión se basó, en todo o en parte, en información de un informe de la agencia de informes del consumidor que se indica aquí. La agencia no participó en nuestra decisión y no puede darte las razones específicas.',
        'Según la ley federal de Informes de Crédito Justos (Fair Credit Reporting Act), tienes derecho a conocer la información que la agencia tiene en tu expediente de crédito. También tienes derecho a una copia gratuita de tu informe, si se la pides a la agencia a más tardar 60 días después de recibir este aviso. Si encuentras información inexacta o incompleta en el informe, tienes derecho a disputarla ante la agencia.',
      ],
      facts: [
        { term: 'Agencia de informes del consumidor', value: agency.name },
        { term: 'Dirección de la agencia', value: agency.address },
        { term: 'Teléfono de la agencia', value: agency.phone },
      ],
      items: [],
    },
    ...(score === null
      ? []
      : [
          {
            heading: 'Tu puntaje de crédito',
            paragraphs: [
              `También obtuvimos de ${agency.name} tu puntaje de crédito y lo usamos en nuestra decisión. El puntaje es un número que refleja la información de tu informe de crédito. Puede cambiar cuando cambia esa información. Si tienes preguntas sobre tu puntaje, comunícate con la agencia.`,
            ],
            facts: [
              { term: 'Tu puntaje de crédito', value: String(score.value) },
              { term: 'Fecha del puntaje', value: score.date },
              { term: 'Escala de puntajes', value: `de ${score.lowest} a ${score.highest}` },
              { term: 'Fuente del puntaje', value: agency.name },
            ],
            items: [],
          },
          {
            heading: 'Factores clave que perjudicaron tu puntaje de crédito',
            paragraphs: [],
            facts: [],
            items: [
              ...score.keyFactors,
              ...(score.inquiries ? ['Número de consultas recientes a tu informe de crédito'] : []),
            ],
          },
        ]),
  ],
  fromOthers: ({ name, address }) => ({
    heading: 'Información de otras fuentes',
    paragraphs: [
      `Nuestra decisión se basó, en todo o en parte, en información de una fuente que no es una agencia de informes del consumidor. Según la ley federal de Informes de Crédito Justos (Fair Credit Reporting Act), tienes derecho a preguntarnos por escrito qué tipo de información era, a más tardar 60 días después de recibir este aviso. Escribe a ${name}, ${address}.`,
    ],
    facts: [],
    items: [],
  }),
  inEnglish: {
    heading: 'Textos en inglés',
    paragraphs: [
      'Algunos motivos o factores de este aviso están en inglés, porque la agencia o el servicio que evaluó tu solicitud no los dio en español. Si necesitas ayuda para entenderlos, escríbenos.',
    ],
    facts: [],
    items: [],
  },
};
