import type { NoticeWords } from './words.ts';

/** The sources of a decline, in the words of model form C-1 (12 CFR 1002, appendix C), made plain. */
export const enSources: Pick<NoticeWords, 'report' | 'fromOthers' | 'inEnglish'> = {
  report: ({ agency, score }) => [
    {
      heading: 'The credit report we used',
      paragraphs: [
        'Our credit decision was based in whole or in part on information in a report from the consumer reporting agency named here. The agency played no part in our decision and can’t give you the specific reasons for it.',
        'Under the federal Fair Credit Reporting Act, you have a right to know the information in your credit file at the agency. You also have a right to a free copy of your report from the agency, if you ask for it no later than 60 days after you receive this notice. If you find that any information in the report is inaccurate or incomplete, you have the right to dispute it with the agency.',
      ],
      facts: [
        { term: 'Consumer reporting agency', value: agency.name },
        { term: 'Agency’s address', value: agency.address },
        { term: 'Agency’s phone', value: agency.phone },
      ],
      items: [],
    },
    ...(score === null
      ? []
      : [
          {
            heading: 'Your credit score',
            paragraphs: [
              `We also got your credit score from ${agency.name} and used it in our decision. Your credit score is a number that reflects the information in your credit report. It can change when that information changes. If you have questions about your score, contact the agency.`,
            ],
            facts: [
              { term: 'Your credit score', value: String(score.value) },
              { term: 'Date of the score', value: score.date },
              { term: 'Range of scores', value: `${score.lowest} to ${score.highest}` },
              { term: 'Source of the score', value: agency.name },
            ],
            items: [],
          },
          {
            heading: 'Key factors that adversely affected your credit score',
            paragraphs: [],
            facts: [],
            items: [
              ...score.keyFactors,
              ...(score.inquiries ? ['Number of recent inquiries on your credit report'] : []),
            ],
          },
        ]),
  ],
  fromOthers: ({ name, address }) => ({
    heading: 'Information from others',
    paragraphs: [
      `Our credit decision was based in whole or in part on information from a source other than a consumer reporting agency. Under the federal Fair Credit Reporting Act, you have the right to ask us in writing what kind of information it was, no later than 60 days after you receive this notice. Write to ${name}, ${address}.`,
    ],
    facts: [],
    items: [],
  }),
  inEnglish: null,
};
