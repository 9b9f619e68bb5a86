import { contrast, locales } from '@svc/contract';
import { describe, expect, test } from 'vitest';
import { wordsOfRent } from '../../../../../scripts/test/words-of-rent.ts';
import {
  agreementOf,
  brand,
  creditor,
  letter,
  letterOf,
  place,
  plan,
  type SampleName,
} from '../../../test/support/sample-mails.ts';
import type { MailType } from '../../words/mail-types.ts';
import { defaultBrand } from './brand.ts';
import { composeMail, composePaper } from './compose.ts';

test.each([
  ['markup', '<img src=x onerror=alert(1)>', '&lt;img src=x onerror=alert(1)&gt;'],
  ['quotes', `"'&`, '&quot;&#39;&amp;'],
  ['lines and headers', 'Ada\r\nBcc: all@example.com', 'Ada Bcc: all@example.com'],
  ['hidden direction marks', 'A\u202Eda', 'A da'],
  ['no name', '', 'Hello,'],
])('a name with %s stays a name', (_, firstName, shown) => {
  const { html, text, subject } = composeMail({ ...letter, firstName }, place);
  expect(html).toContain(shown);
  expect(html).not.toContain('<img');
  expect(text.split('\n')[0]).toMatch(/^Hello.*,$/);
  expect(subject).toBe('$380.03 is due Monday, February 9');
});

test('a failed payment says when it is tried again, on the day of the property', () => {
  const data = { ...letter.data, return_code: 'R01', next_attempt_at: '2026-02-11T02:00:00Z' };
  const { text } = composeMail({ ...letter, type: 'installment.failed', data }, place);
  expect(text).toContain('We’ll try again on Tuesday, February 10.');
  const last = { ...data, next_attempt_at: null };
  expect(composeMail({ ...letter, type: 'installment.failed', data: last }, place).text).toContain(
    'We won’t try again automatically. Pay it in your plan',
  );
});

test('a failed payment that turned automatic payments off says so', () => {
  const data = { ...letter.data, return_code: 'R10', next_attempt_at: null, autopay: false };
  const { text } = composeMail({ ...letter, type: 'installment.failed', data }, place);
  expect(text).toContain('Autopay is off now');
});

test('a reminder warns of a card that expires before the last payment, and of no other', () => {
  expect(composeMail(letter, place).text).not.toContain('Your card expires');
  const ending = {
    ...letter,
    method: { brand: 'visa', expires: '2026-02', lastDueDate: '2026-03-02' },
  } as const;
  expect(composeMail(ending, place).text).toContain(
    'Your card expires 02/26, and your last payment is due Monday, March 2. Choose another way to pay before then.',
  );
  expect(composeMail({ ...ending, locale: 'es' }, place).text).toContain(
    'Tu tarjeta vence en 02/26 y tu último pago es el lunes 2 de marzo.',
  );
});

test('a payment that the bank reversed is not reported as failed', () => {
  const data = { ...letter.data, taken_back: true, return_code: 'R10', next_attempt_at: null };
  const back = { ...letter, type: 'installment.failed', data } as const;
  const english = composeMail(back, place);
  expect(english.subject).toBe('Your bank returned your payment of $380.03');
  expect(english.text).toContain(
    'Your bank returned your rent payment of $380.03, so you owe it again.',
  );
  const spanish = composeMail({ ...back, locale: 'es' }, place);
  expect(spanish.subject).toBe('Tu banco devolvió tu pago de $380.03');
});

test('a mail names the kind of account, or none if the tenant pays manually', () => {
  const { text } = composeMail(letter, place);
  expect(text).toContain(`Loan provided by ${creditor.name}, ${creditor.address}.`);
  expect(text).toContain('We’ll charge it automatically to your Visa card that day.');
  const byHand = composeMail({ ...letter, method: null }, place);
  expect(byHand.text).not.toMatch(/charge it/);
  const method = { brand: null, expires: null, lastDueDate: null };
  const paid = composeMail({ ...letter, type: 'installment.paid', method }, place);
  expect(paid.text).toContain('payment of $380.03 from your bank account.');
});

test('Spanish mails about dues and about rent', () => {
  expect(composeMail({ ...letter, locale: 'es' }, place).text).toContain(
    'Tu próximo pago de renta',
  );
  const spanish = composeMail({ ...letter, locale: 'es', productVariant: 'hoa' }, place);
  expect(spanish.subject).toBe('Tu pago de $380.03 vence el lunes 9 de febrero');
  expect(spanish.text).toContain('cuotas de la asociación');
  expect(spanish.text).toContain('de tu tarjeta Visa');
  expect(spanish.html).toContain('<html lang="es" dir="ltr">');
  expect(spanish.html).toContain('https://svc.example/experience/maple#link=svc_ml_x');
});

test('the sender is the lender, for the portal if it has a name', () => {
  expect(composeMail(letter, place).from).toBe('Svc Sandbox Finance for Maple Residents');
  const unnamed = { ...place, brand: defaultBrand({ name: 'maple', pms: 'maple' }) };
  const mail = composeMail({ ...letter, locale: 'es' }, unnamed);
  expect(mail.from).toBe('Svc Sandbox Finance');
  expect(mail.html).not.toContain('>maple<');
});

const hostile = '<b>"Ada" & \'co\'</b>';

interface Case {
  /** The facts that the mail has to state: amounts, the days as `YYYY-MM-DD`, and what to do. */
  readonly states: readonly string[];
  readonly en: readonly string[];
  readonly es: readonly string[];
}

const cases: Readonly<Record<SampleName, Case>> = {
  'experience.code': {
    states: ['svc_ml_x'],
    en: ['works for 10 minutes', 'don’t share it'],
    es: ['Sirve por 10 minutos', 'no lo compartas'],
  },
  'application.declined': {
    // The evening of February 1 at the property.
    states: ['$1,520.12', '2026-02-01', '2026-05-02', creditor.address, creditor.supportEmail],
    en: [
      'Your income is too low for the amount requested. You haven’t lived in your home long enough.',
      'Federal Trade',
    ],
    es: [
      'Tus ingresos no son suficientes para el monto solicitado. Llevas muy poco',
      'Federal Trade',
    ],
  },
  'plan.activated': {
    states: ['$410.03', '$760.06', '$380.03', '2026-02-16', plan.plan_id, 'ab'.repeat(32)],
    en: ['Visa card ending in ••••', 'ITEMIZATION OF THE AMOUNT FINANCED', '90.1%'],
    es: ['Visa card ending in ••••', 'ITEMIZATION OF THE AMOUNT FINANCED', '90.1%'],
  },
  'plan.canceled': {
    states: ['$410.03', plan.plan_id],
    en: ['you don’t owe us anything', 'start again there with another account'],
    es: ['no nos debes nada', 'empieza otra vez ahí'],
  },
  'plan.payment_method': {
    states: ['$760.06', plan.plan_id, creditor.supportEmail],
    en: ['to your Visa card', 'at least 3 business days before'],
    es: ['de tu tarjeta Visa', 'al menos 3 días hábiles antes'],
  },
  'plan.refunded': {
    states: ['$500.00', '$10.00', '$760.06', '2026-02-16', plan.plan_id],
    en: ['starting with your last payment', '1 on its way · 1 paid by a credit'],
    es: ['empezando por tu último pago', '1 en proceso · 1 cubierto por un crédito'],
  },
  'plan.past_due': {
    states: ['$760.06', plan.plan_id, creditor.supportEmail],
    en: ['30 days late', 'Pay now in your plan', '2 of 4 payments made · 2 late'],
    es: ['30 días de atraso', 'Paga ahora en tu plan', '2 de 4 pagos hechos · 2 atrasados'],
  },
  'plan.completed': {
    states: ['$410.03', '2026-02-09', plan.plan_id],
    en: ['is paid off', 'You don’t owe anything'],
    es: ['pagado por completo', 'Ya no debes nada'],
  },
  'plan.charged_off': {
    states: ['$760.06', plan.plan_id, creditor.supportEmail],
    en: ['120 days late', 'You still owe $760.06'],
    es: ['120 días de atraso', 'Todavía debes $760.06'],
  },
  'installment.upcoming': {
    states: ['$410.03', '2026-02-09', '$760.06', plan.plan_id],
    en: ['automatically to your Visa card', 'move the payment to another day'],
    es: ['automáticamente de tu tarjeta Visa', 'cambiar la fecha del pago'],
  },
  'installment.failed': {
    states: ['$410.03', '2026-02-09', '2026-02-10', plan.plan_id],
    en: ['1 of 4 payments made · 1 didn’t go through', 'Late fee: None', 'a way together'],
    es: ['1 de 4 pagos hechos · 1 sin cobrar', 'Recargo por pago tardío: Ninguno'],
  },
  'installment.paid': {
    states: ['$410.03', '2026-02-09', '$760.06', '$380.03', '2026-02-16', plan.plan_id],
    en: ['We received your'],
    es: ['Recibimos tu pago'],
  },
  'part of a payment': {
    states: ['$100.00', '$280.03', '2026-02-16', '$660.06', plan.plan_id],
    en: ['$100.00 from your Visa card, part of your', 'We’ll charge it automatically that day'],
    es: ['$100.00 de tu tarjeta Visa, una parte de tu pago', 'automáticamente ese día'],
  },
  'part of a late payment': {
    states: ['$100.00', '$310.03', '2026-02-09', '$760.06', '$380.03', '2026-02-16', plan.plan_id],
    en: ['You still owe the remaining $310.03. Please pay it in your plan.'],
    es: ['Todavía debes los $310.03 restantes. Págalos en tu plan.'],
  },
  'installment.rescheduled': {
    states: ['$410.03', '2026-02-05', '2026-02-09', plan.plan_id],
    en: ['Originally due', 'Keep this email with your agreement'],
    es: ['Ahora vence', 'Guarda este correo con tu contrato'],
  },
  'autopay.enabled': {
    states: ['$380.03', '2026-02-16', '$760.06', plan.plan_id],
    en: ['to your Visa card', 'at least 3 business days before'],
    es: ['de tu tarjeta Visa', 'al menos 3 días hábiles antes'],
  },
  'autopay.disabled': {
    states: ['$380.03', '2026-02-16', '$760.06', plan.plan_id],
    en: ['turn it back on in your plan'],
    es: ['activarlos otra vez en tu plan'],
  },
};

const fullDates = {
  en: new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }),
  es: new Intl.DateTimeFormat('es-US', { dateStyle: 'long', timeZone: 'UTC' }),
};

const everyMail = (Object.keys(cases) as (keyof typeof cases)[]).flatMap((name) =>
  locales.flatMap((locale) =>
    (['rent', 'hoa'] as const).map((variant) => ({ name, locale, variant })),
  ),
);

describe.each(everyMail)('$name in $locale about $variant', ({ name, locale, variant }) => {
  const { states, [locale]: phrases } = cases[name];
  const about = { locale, productVariant: variant, firstName: hostile };
  const sample = letterOf(name, about);
  const { type } = sample;
  const agreement = sample.agreement && agreementOf('en', { name: hostile, variant });
  const mail = composeMail(
    { ...sample, agreement },
    { ...place, brand: { ...brand, name: hostile } },
  );
  const nodes = textNodes(mail.html);

  test('states amounts, days and what to do, in both parts', () => {
    for (const fact of states) {
      const isDay = /^\d{4}-\d\d-\d\d$/.test(fact);
      const shown = isDay ? fullDates[locale].format(new Date(`${fact}T12:00:00Z`)) : fact;
      expect(mail.text).toContain(shown);
      expect(nodes.join('\n')).toContain(shown);
    }
    for (const phrase of phrases) expect(mail.text).toContain(phrase);
  });

  test('the plain part has every text of the HTML part, but the hidden preview', () => {
    const [preview, ...visible] = nodes;
    expect(preview?.length).toBeGreaterThan(8);
    expect(visible.length).toBeGreaterThan(7);
    const plain = mail.text.replaceAll(/\s+/g, ' ');
    for (const node of visible.filter((it) => it !== hostile)) expect(plain).toContain(node);
    for (const amount of preview?.match(/\$[\d,.]*\d/g) ?? []) expect(plain).toContain(amount);
  });

  test('uses none of the words that tenants do not', () => {
    const written = `${mail.subject}\n${nodes.join('\n')}`;
    expect(written).not.toMatch(
      /undefined|null|NaN|Invalid|installment|\bbill\b|by itself|: \n|: $/,
    );
    // The notice quotes the law and its agency in English.
    const own = agreementIn(type) || type === 'application.declined' ? mail.subject : written;
    const spoken = own.replaceAll(creditor.address, '').replaceAll(hostile, '');
    if (locale === 'es') expect(spoken).not.toMatch(/\b(the|of|your|you|payment|due)\b/i);
    if (variant === 'hoa') expect(wordsOfRent(`${mail.subject}\n${mail.text}`)).toEqual([]);
    else expect(written).not.toMatch(/dues|cuotas/);
    expect(mail.subject.length).toBeLessThan(70);
    expect(mail.subject).not.toMatch(/!|\n/);
  });

  test('its only link opens the plan, names stay text, and no digits of the account show', () => {
    const links = [...mail.html.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, url]) => url);
    const opens = ['https://svc.example/experience/maple#link=svc_ml_x'];
    expect(links).toEqual(type === 'experience.code' ? [] : opens);
    expect(mail.text.match(/https?:\S+/g) ?? []).toEqual(links);
    expect(mail.html).not.toContain('<b>');
    expect(mail.html).toContain('&lt;b&gt;');
    expect(mail.text + mail.html).not.toContain('4242');
    expect(mail.html).toContain('name="color-scheme" content="light dark"');
    expect(mail.html).toContain('prefers-color-scheme: dark');
  });
});

test('the subject of a decline notice has no reason and no amount', () => {
  for (const locale of locales) {
    const mail = composeMail(letterOf('application.declined', { locale }), place);
    expect(mail.subject).not.toMatch(/\$|declin|rechaz|income|ingreso/i);
  }
});

test('a decline notice names the applicant, whose name turns nothing around', () => {
  const names = { firstName: 'מרים', lastName: '\u202eמזרחי' };
  const { text, html } = composeMail(letterOf('application.declined', names), place);
  for (const part of [text, html]) {
    expect(part).toContain('\u2068מרים מזרחי\u2069');
    expect(part).not.toContain('\u202e');
  }
});

test('a decline notice of an older service has no amount', () => {
  const letter = letterOf('application.declined');
  const decline = letter.decline && { ...letter.decline, amountInCents: null };
  expect(composeMail({ ...letter, decline }, place).text).not.toContain('Amount requested');
});

test('an agreement that was accepted in Spanish stays in Spanish', () => {
  const agreement = agreementOf('es');
  const mail = composeMail({ ...letterOf('plan.activated'), agreement }, place);
  expect(mail.text).toContain('tarjeta Visa terminada en ••••');
  expect(mail.html).toContain('lang="es"');
  expect(mail.text).not.toContain('4242');
});

test('a copy on paper is complete, with the digits that a mail hides', () => {
  const agreement = agreementOf('en');
  const activated = { ...letterOf('plan.activated'), agreement };
  const printed = composePaper(activated, { creditor, brand, home: '1 Elm St' });
  expect(printed).toContain('Visa card ending in 4242');
  expect(printed).toContain(agreement.sha256);
  expect(printed).not.toContain('••••');
  expect(printed).not.toContain('#link=');
});

test('a wide logo keeps its proportions, and the button has its own colors on dark screens', () => {
  const url = 'https://svc.example/brand/maple/a.png';
  const dark = { accent: '#fde047', onAccent: '#000000' };
  const branded = { ...brand, dark, logo: { url, width: 960, height: 80 } };
  const { html } = composeMail(letter, { ...place, brand: branded });
  expect(html).toContain(`src="${url}" alt="Maple Residents" width="240" height="20"`);
  expect(html).toContain('.button { background: #fde047 !important; color: #000000 !important; }');
  for (const { accent, onAccent } of [brand.light, brand.dark]) {
    expect(contrast(accent, onAccent)).toBeGreaterThan(4.5);
  }
  for (const ground of ['#ffffff', '#f2f4f7']) {
    expect(html).toContain(`background:${ground}`);
    for (const [, color = ''] of html.matchAll(/;color:(#[0-9a-f]{6})">[^<]/g)) {
      expect(contrast(color, ground)).toBeGreaterThan(4.5);
    }
  }
});

function agreementIn(type: MailType): boolean {
  return letterOf(type).agreement !== null;
}

/** The texts of a page in its order, without title and style. */
function textNodes(html: string): string[] {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
  return html
    .replace(/^.*<body/s, '<body')
    .split(/<[^>]*>/)
    .map((it) =>
      it
        .replaceAll(/&(#847|zwnj|nbsp);/g, ' ')
        .replaceAll(/&([a-z]+|#39);/g, (_, name: string) => entities[name] ?? '?')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
    .filter((it) => it !== '');
}
