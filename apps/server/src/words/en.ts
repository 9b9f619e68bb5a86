import { cardBrands, type ProductVariant } from '@svc/contract';
import { enDocuments } from './en-documents.ts';
import { enSources } from './en-notice.ts';
import type { AgreementTerms, MailFacts, TextFacts, Words } from './words.ts';

// In plain words, the reasons of form C-1 (12 CFR 1002, appendix C): income, length of residence,
// performance with us, unable to verify.
const reasons = {
  income_too_low: 'Your income is too low for the amount requested',
  account_too_new: 'You haven’t lived in your home long enough',
  past_plan_unpaid: 'You haven’t paid an earlier payment plan with us in full',
  unable_to_verify: 'We couldn’t verify the information you gave us',
} as const;

const equalCreditNotice =
  'The federal Equal Credit Opportunity Act prohibits creditors from discriminating against credit applicants on the basis of race, color, religion, national origin, sex, marital status, or age (provided the applicant has the capacity to enter into a binding contract); because all or part of the applicant’s income derives from any public assistance program; or because the applicant has in good faith exercised any right under the Consumer Credit Protection Act. The federal agency that administers compliance with this law concerning this creditor is the Federal Trade Commission, Equal Credit Opportunity, Washington, DC 20580.';

const endingIn = (last4: string) => `ending in ${last4}`;

const account: Words['account'] = ({ brand, last4 }) =>
  `${brand === null ? 'bank account' : `${brand} card`} ${endingIn(last4)}`;

export const en: Words = {
  retryReasons: {
    R01: 'there is not enough money in the bank account',
    R09: 'the money in the bank account is not available yet',
    insufficient_funds: 'there is not enough money in the card’s account',
    card_declined: 'the card is declined without a reason',
    processing_error: 'the card’s bank does not answer',
  },
  removed: '[removed]',
  electronicRecords: ({ name, address, supportEmail }) => [
    `I agree to get notices from ${name} by email and on screen, instead of on paper.`,
    'What this covers: the decision about my application and its reasons, a copy of my agreement and of each charge that I authorize, and every other notice that the law requires in writing, for my applications and payment plans.',
    'What I need: a phone, tablet or computer with internet access, a current web browser, an email address, and a printer or storage to keep copies.',
    `Paper copies: I can get a free paper copy of any notice. I email ${supportEmail} or write to ${name}, ${address}.`,
    'I can change my mind at any time, at no cost: in my plan, under “How you get notices”, or by writing to the same addresses. From then on, notices come on paper. My application, my plan and what I owe stay the same.',
    'My email address comes from my resident or owner portal. If it changes, I change it there.',
    'I don’t have to agree to this to apply, or to get or keep a payment plan.',
  ],
  endingIn,
  account,
  documents: enDocuments,
  texts: {
    consent: ({ lender, email }) =>
      `I agree that ${lender} may send automated text messages about my payment plans to this number: a reminder before a payment, and a message when a payment doesn’t go through or is past due. Up to 10 messages a month. Message and data rates may apply. I can reply STOP to stop or HELP for help, or write to ${email}. I don’t have to agree to this to get or keep a payment plan.`,
    code: (code) =>
      `${code} is your code to get texts about your payment plan. It works for 10 minutes. Don't share it.`,
    linkCode: (code) =>
      `${code} is your code to open your payment page. It works for 10 minutes. Don't share it.`,
    stopped:
      "You won't get any more texts about your payment plan. Emails still come. Reply START to get texts again.",
    started:
      'You get texts about your payment plan again. Reply STOP to stop or HELP for help. Msg & data rates may apply.',
    help: (email) =>
      `Texts about your payment plan, up to 10 a month. Help: ${email}. Msg & data rates may apply. Reply STOP to stop.`,
    types: {
      'installment.upcoming': ({ day, autopay, details }) => {
        const payment = details === null ? 'Your payment' : `Your payment${ofDetails(details)}`;
        return autopay
          ? `${payment} will be charged on ${day}. Reply STOP to stop.`
          : `${payment} is due on ${day}. Pay it in your plan. Reply STOP to stop.`;
      },
      'installment.failed': ({ details }) =>
        `Your payment${details === null ? '' : ofDetails(details)} didn't go through. Open your plan to see what to do. Reply STOP to stop.`,
      'plan.past_due': ({ details }) =>
        `Your payment plan${details?.property ? ` for ${details.property}` : ''} is past due. Open your plan to see your options. Reply STOP to stop.`,
    },
  },
  progress: ({ made, all, processing, failed, late, credited }) =>
    [
      `${made} of ${all} ${all === 1 ? 'payment' : 'payments'} made`,
      ...(processing === 0 ? [] : [`${processing} on its way`]),
      ...(failed === 0 ? [] : [`${failed} didn’t go through`]),
      ...(late === 0 ? [] : [`${late} late`]),
      ...(credited === 0 ? [] : [`${credited} paid by a credit`]),
    ].join(' · '),
  mail: {
    greeting: (name) => (name === '' ? 'Hello,' : `Hello ${name},`),
    sender: (lender, brand) => (brand === '' ? lender : `${lender} for ${brand}`),
    link: (variant) =>
      `The button works once, within four days. After that, open your plan in your ${portal(variant)}.`,
    foot: ({ name, address, supportEmail }, brand) =>
      `${brand === '' ? 'Loan' : `Payment plans in ${brand}. Loan`} provided by ${name}, ${address}. Questions? Email ${supportEmail}.`,
    hiddenDigits:
      'This copy hides the last digits of your account or card, because email isn’t a safe place for them. The complete agreement is in your plan, under Documents, where you can save or print it.',
    version: (sha256) => `Document ID of the complete agreement (SHA-256): ${sha256}`,
    types: {
      'application.declined': ({ decline, reapply, creditor, variant }) => ({
        subject: 'A decision about your application',
        title: 'We can’t approve your application',
        preheader: 'The notice explains why, and what your rights are.',
        lines: [
          `Thank you for applying to pay your ${rentOrDues(variant)} over time. We can’t approve your application right now. Please pay your ${rentOrDues(variant)} in your ${portal(variant)}, as usual.`,
          'This is your notice of action taken:',
        ],
        rows: [
          ['Action taken', 'Application for a payment plan declined'],
          ['Applicant', decline?.applicant ?? ''],
          ...(decline?.amount ? [['Amount requested', decline.amount] as const] : []),
          ['Date', decline?.decidedOn ?? ''],
          ['Creditor', `${creditor.name}, ${creditor.address}`],
          [
            decline?.reasons.length === 1 ? 'Main reason' : 'Main reasons',
            (decline?.reasons ?? []).map((it) => `${it}.`).join(' '),
          ],
          ...(decline?.rows ?? []),
        ],
        after: [
          ...(decline?.paragraphs ?? []),
          decline?.rights ?? equalCreditNotice,
          `You can apply again starting ${reapply.full}. If you think we made a mistake, email ${creditor.supportEmail}.`,
        ],
        button: 'See the notice',
      }),
      'plan.activated': ({ amount, left, next, method, variant, planNumber }) => ({
        subject: `Your ${rentOrDues(variant)} ${isOrAre(variant)} split. Here’s your agreement`,
        title: `Your ${rentOrDues(variant)} ${isOrAre(variant)} split`,
        preheader: 'Keep this email: it has your payment plan agreement.',
        lines: [
          `Your payment plan has started. We’ll pay your ${rentOrDues(variant)} through your ${portal(variant)}.`,
          ...(next === null
            ? []
            : [
                method === null
                  ? `Your next payment is ${next.amount}, due ${next.day.said}.`
                  : `Your next payment is ${next.amount}, due ${next.day.said}. We’ll charge it automatically${toMethod(method)}.`,
              ]),
        ],
        rows: [
          ['First payment', amount],
          ...leftRow(left),
          ...nextRow(next),
          ['Plan number', planNumber],
        ],
        after: ['Your agreement is below. Keep it for your records.'],
        button: 'Open my plan',
      }),
      'plan.canceled': ({ amount, reason, variant, planNumber }) => ({
        subject: 'Your payment plan didn’t start',
        title: 'Your payment plan didn’t start',
        preheader: `Your ${rentOrDues(variant)} ${variant === 'hoa' ? 'aren’t' : 'isn’t'} paid yet.`,
        lines: [
          reason === 'charges_changed'
            ? `Your ${rentOrDues(variant)} changed before your payment plan started, so we canceled the plan. We didn’t pay your ${rentOrDues(variant)}.`
            : reason === 'canceled_by_operator'
              ? `We canceled your payment plan before it started. We didn’t pay your ${rentOrDues(variant)}, and you don’t owe us anything.`
              : `Your first payment of ${amount} didn’t go through, so your plan didn’t start. We didn’t pay your ${rentOrDues(variant)}, and you don’t owe us anything.`,
        ],
        rows: [
          ['First payment', amount],
          ['Plan number', planNumber],
        ],
        after: [
          `Pay your ${rentOrDues(variant)} in your ${portal(variant)}, or start again there with another account or card. If we charged you for this plan, we’ll refund it.`,
        ],
        button: 'See what I can do',
      }),
      'plan.payment_method': ({ method, autopay, left, planNumber, creditor }) => ({
        subject: 'You changed how you pay for your plan',
        title: 'You changed how you pay',
        preheader: 'If this wasn’t you, tell us right away.',
        lines: [
          autopay
            ? `You authorized us to charge your remaining payments to your ${methodKind(method)} automatically, on their due dates.`
            : `Your remaining payments will come from your ${methodKind(method)}. Autopay is off, so you’ll make each payment yourself.`,
        ],
        rows: [
          ['Paid from', capitalize(methodKind(method))],
          ...leftRow(left),
          ['Plan number', planNumber],
        ],
        after: [
          'To stop a payment, turn off autopay in your plan at least 3 business days before it’s due.',
          `If you didn’t make this change, email ${creditor.supportEmail} right away.`,
        ],
        button: 'Check my plan',
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
            ? `We’re refunding you ${refunded}`
            : `${credited} was credited to your plan`,
        title:
          credited === null
            ? `You’re getting a refund of ${refunded}`
            : `A credit lowered your plan by ${credited}`,
        preheader: left === null ? 'Your plan shows the details.' : `You have ${left} left to pay.`,
        lines: [
          ...(credited === null
            ? []
            : [
                isFeeWaiver
                  ? `We waived ${credited} of your plan’s fee. It lowers what you owe.`
                  : `You got a credit of ${credited} on your ${rentOrDues(variant)}. It lowers what you owe, starting with your last payment.`,
              ]),
          ...(refunded === null
            ? []
            : [
                `We’re sending ${refunded} back to the account or card that you paid with. Banks usually take 5 to 10 business days.`,
              ]),
          ...(isPaidOff ? ['You have nothing left to pay on this plan.'] : []),
        ],
        rows: [
          ...(credited === null ? [] : [['Credited', credited] as const]),
          ...(refunded === null ? [] : [['Refunded', refunded] as const]),
          ...leftRow(left),
          ...nextRow(next),
          ['Plan number', planNumber],
        ],
        after: [],
        button: 'Open my plan',
      }),
      'plan.past_due': ({ left, variant, planNumber, creditor, pastDueDays }) => ({
        subject: 'Your payment plan is past due',
        title: 'Your payment plan is past due',
        preheader: `A payment is ${pastDueDays} days late. You can pay it now.`,
        lines: [
          `A payment on your plan is ${pastDueDays} days late. It happens, and there’s no late fee. Once you pay it, you can split your ${rentOrDues(variant)} again.`,
        ],
        rows: [...leftRow(left), ['Plan number', planNumber]],
        after: [`Pay now in your plan. ${cannotPay(creditor)}`],
        button: 'Pay now',
      }),
      'plan.completed': ({ amount, day, method, variant, planNumber }) => ({
        subject: `Receipt: ${amount} paid, and your plan is paid off`,
        title: 'Your plan is paid off',
        preheader: 'That was your last payment. Thank you.',
        lines: [
          `We received your last ${rentOrDues(variant)} payment of ${amount}${fromMethod(method)}. Your plan is paid off. Thank you.`,
        ],
        rows: [
          ['Amount paid', amount],
          ['Payment due', day.full],
          ['Plan number', planNumber],
        ],
        after: [
          'You don’t owe anything on this plan. Your receipts and agreement stay in your plan.',
        ],
        button: 'See my receipts',
      }),
      'plan.charged_off': ({ left, planNumber, creditor, chargeOffDays }) => ({
        subject: 'Your payment plan is closed, but you still owe a balance',
        title: 'Your plan is closed, but you still owe a balance',
        preheader: 'Email us to pay it. We won’t charge payments automatically.',
        lines: [
          `A payment on your plan was ${chargeOffDays} days late, so we closed the plan. You still owe ${left ?? ''}. We won’t charge any more payments automatically.`,
        ],
        rows: [
          ['You still owe', left ?? ''],
          ['Plan number', planNumber],
        ],
        after: [
          `To pay it all at once or over time, email ${creditor.supportEmail} and include your plan number.`,
        ],
        button: 'See my plan',
      }),
      'experience.code': ({ code }) => ({
        subject: `Your code is ${code}`,
        title: 'Your code',
        preheader: 'It opens your payment page and works for 10 minutes.',
        lines: [
          'You asked for this code on our page. It works for 10 minutes. Enter it there to see what you can do about your payment.',
        ],
        rows: [['Code', code ?? '']],
        after: [
          'If you did not ask for it, you can ignore this email. The page opens only with the code, so don’t share it.',
        ],
        button: null,
      }),
      'installment.upcoming': ({ amount, day, variant, method, cardEnd, left, planNumber }) => ({
        subject: `${amount} is due ${day.said}`,
        title: `${amount} is due ${day.said}`,
        preheader:
          method === null
            ? 'Autopay is off, so please pay it in your plan.'
            : `We’ll charge it automatically${toMethod(method)}.`,
        lines: [
          method === null
            ? `Your next ${rentOrDues(variant)} payment of ${amount} is due ${day.said}. Autopay is off, so please pay it in your plan.`
            : `Your next ${rentOrDues(variant)} payment of ${amount} is due ${day.said}. We’ll charge it automatically${toMethod(method)} that day.`,
          ...(cardEnd === null
            ? []
            : [
                `Your card expires ${cardEnd.month}, and your last payment is due ${cardEnd.lastDay.said}. Choose another way to pay before then.`,
              ]),
        ],
        rows: [
          ['Amount', amount],
          ['Due', day.full],
          ...(method === null ? [] : [['Paid from', capitalize(methodKind(method))] as const]),
          ...leftRow(left),
          ['Plan number', planNumber],
        ],
        after: ['You can pay now, move the payment to another day, or change how you pay.'],
        button: method === null ? `Pay ${amount}` : 'Open my plan',
      }),
      'installment.failed': (facts) => {
        const { amount, day, again, reversed, variant, method, autopay, planNumber, creditor } =
          facts;
        const why = bankReason(facts.returnCode);
        return {
          subject: reversed
            ? `Your bank returned your payment of ${amount}`
            : `Your payment of ${amount} didn’t go through`,
          title: reversed
            ? `Your payment of ${amount} was returned`
            : `Your payment of ${amount} didn’t go through`,
          preheader:
            again === null
              ? 'Please pay it in your plan. There’s no late fee.'
              : `We’ll try again on ${again.said}. There’s no late fee.`,
          lines: [
            reversed
              ? `Your bank returned your ${rentOrDues(variant)} payment of ${amount}, so you owe it again.`
              : `Your ${rentOrDues(variant)} payment of ${amount}${fromMethod(method)} didn’t go through.`,
            ...(why === null ? [] : [why]),
            again === null
              ? 'We won’t try again automatically. Pay it in your plan when you can, or use another account or card.'
              : `We’ll try again on ${again.said}. To pay before then, or another way, open your plan.`,
            ...(again === null && !autopay && method !== null
              ? ['Autopay is off now. You’ll make each payment yourself until you turn it back on.']
              : []),
          ],
          rows: [
            ['Amount', amount],
            ['Was due', day.full],
            ...(again === null ? [] : [['Next attempt', again.full] as const]),
            ['Late fee', 'None'],
            ['Plan number', planNumber],
          ],
          after: [cannotPay(creditor)],
          button: `Pay ${amount}`,
        };
      },
      'installment.paid': ({ amount, day, variant, method, rest, left, next, planNumber }) => ({
        subject: `Receipt: ${amount} paid`,
        title: `You paid ${amount}`,
        preheader: rest
          ? `Thank you. You still owe ${rest.amount} of this payment.`
          : next === null
            ? 'Thank you.'
            : `Thank you. Your next payment is ${next.amount}, due ${next.day.said}.`,
        lines: rest
          ? [
              `We received ${amount}${fromMethod(method)}, part of your ${rentOrDues(variant)} payment due ${day.said}. Thank you.`,
              rest.automatic
                ? `You still owe the remaining ${rest.amount}. We’ll charge it automatically that day.`
                : `You still owe the remaining ${rest.amount}. Please pay it in your plan.`,
            ]
          : [
              `We received your ${rentOrDues(variant)} payment of ${amount}${fromMethod(method)}. Thank you.`,
            ],
        rows: [
          ['Amount paid', amount],
          ['Payment due', day.full],
          ...(rest === null ? [] : [['Rest of this payment', rest.amount] as const]),
          ...leftRow(left),
          ...(next === null || (rest !== null && next.day.full === day.full)
            ? []
            : [['Next payment', `${next.amount} on ${next.day.full}`] as const]),
          ['Plan number', planNumber],
        ],
        after: [],
        button: 'Open my plan',
      }),
      'installment.rescheduled': ({
        amount,
        day,
        from: before,
        byOperator,
        autopay,
        planNumber,
        creditor,
      }) => ({
        subject: `Your payment of ${amount} moved to ${day.said}`,
        title: `Your payment moved to ${day.said}`,
        preheader: `It was due ${before.said}. The amount stays ${amount}.`,
        lines: [
          `${byOperator ? 'As you asked, we' : 'You'} moved your payment of ${amount} from ${before.said} to ${day.said}. Nothing else in your agreement changes.`,
          autopay
            ? 'You authorized us to charge it automatically on the new date.'
            : 'Autopay is off, so please pay it in your plan by then.',
        ],
        rows: [
          ['Amount', amount],
          ['Originally due', before.full],
          ['Now due', day.full],
          ['Plan number', planNumber],
        ],
        after: [
          `Keep this email with your agreement. If you didn’t ${byOperator ? 'ask for' : 'make'} this change, email ${creditor.supportEmail}.`,
        ],
        button: 'Open my plan',
      }),
      'autopay.enabled': ({ method, next, left, planNumber }) => ({
        subject: 'Autopay is on',
        title: 'Autopay is on',
        preheader: 'We’ll charge each payment on its due date.',
        lines: [
          `You authorized us to charge each payment on your plan${toMethod(method)} automatically, on its due date.`,
        ],
        rows: [...nextRow(next), ...leftRow(left), ['Plan number', planNumber]],
        after: [
          'You can turn autopay off at any time. To stop a payment, turn it off at least 3 business days before it’s due.',
        ],
        button: 'Open my plan',
      }),
      'autopay.disabled': ({ next, left, planNumber }) => ({
        subject: 'Autopay is off',
        title: 'Autopay is off',
        preheader: 'From now on, you’ll make each payment yourself.',
        lines: [
          next === null
            ? 'We won’t charge payments automatically anymore. You’ll make each payment yourself, in your plan.'
            : `We won’t charge payments automatically anymore. Your next payment of ${next.amount} is due ${next.day.said}. You’ll make it in your plan.`,
        ],
        rows: [...nextRow(next), ...leftRow(left), ['Plan number', planNumber]],
        after: ['You can turn it back on in your plan. Your dates and amounts stay the same.'],
        button: 'Open my plan',
      }),
    },
  },
  agreement: (facts, variant) => {
    const { creditor, terms, financed, fee } = facts;
    const dues = rentOrDues(variant);
    const payee = variant === 'hoa' ? 'association' : 'landlord';
    const method = account(facts);
    return [
      {
        heading: 'Payment plan agreement',
        blocks: [
          [
            `Plan number: ${facts.planNumber}`,
            `Signing date: ${facts.signedOn}`,
            `Borrower: ${facts.borrower}`,
            ...(facts.home === null ? [] : [`Home: ${facts.home}`]),
            `Lender: ${creditor.name}, ${creditor.address}`,
            ...(facts.license === null ? [] : [`Lender’s license: ${facts.license}`]),
          ],
          'In this agreement, “you” is the borrower, and “we” is the lender.',
        ],
      },
      {
        heading: 'Truth in Lending disclosures',
        blocks: [
          [
            `Creditor: ${creditor.name}, ${creditor.address}`,
            `ANNUAL PERCENTAGE RATE (the cost of your credit as a yearly rate): ${facts.apr}`,
            `FINANCE CHARGE (the dollar amount the credit will cost you): ${facts.charge}`,
            `Amount financed (the amount of credit provided to you or on your behalf): ${financed}`,
            `Total of payments (the amount you will have paid after you have made all payments as scheduled): ${facts.total}`,
          ],
          `Your payment schedule has ${facts.payments.length} payments:`,
          facts.payments.map((it, index) => `${index + 1}. ${it}`),
          [
            'Late payment: There is no late fee.',
            'Prepayment: If you pay early, you will not have to pay a penalty. You will not get a refund of part of the finance charge.',
          ],
          'See the rest of this agreement for any additional information about nonpayment, default, any required repayment in full before the scheduled date, and prepayment refunds and penalties.',
        ],
      },
      {
        heading: 'Itemization of the amount financed',
        blocks: [
          [
            `Paid on your behalf to your ${payee}, through your ${portal(variant)}, for your ${dues}: ${financed}`,
            'Paid directly to you: $0.00',
            'Paid on your account with us: $0.00',
            `Amount financed: ${financed}`,
          ],
        ],
      },
      {
        heading: 'What we lend and what you repay',
        blocks: [
          `We lend you ${financed} for your ${dues}. Your ${portal(variant)} collects it from us by ${facts.debitBy} and credits it to your ${dues}.`,
          `You repay it with the payments in the schedule. You also pay a fee of ${fee} for the plan, with the first payment. We charge no interest, no late fee and no fee for a failed payment. Your bank may charge its own fees.`,
          `We charge the first payment of ${facts.first} today to your ${method}. If it does not go through, the plan does not start, and you owe us nothing under this agreement. You can cancel the plan until the first payment goes through.`,
        ],
      },
      {
        heading: 'Automatic payments (autopay)',
        blocks: [
          `You authorize us to charge each payment in the schedule, for its amount and on its date, to your ${method}, or to another account or card that you choose later. If you move a payment, you authorize us to charge it on the new date. If a credit lowers a payment, we charge the lower amount.`,
          retriesText(terms),
          `Autopay is your choice. You can turn it off in your plan at any time and make each payment yourself, at the same cost. To stop one payment, turn autopay off or email ${creditor.supportEmail} at least 3 business days before its date. You can also tell your bank to stop it, at least 3 business days before its date.`,
          `We will email you ${dayCount(terms.remindDaysBefore)} before each payment after the first.`,
        ],
      },
      {
        heading: 'Moving a payment and paying early',
        blocks: [
          `You can move a payment that you have not made yet to another business day, at no cost. The new day must be ${untilWhen(variant)} and at least ${dayCount(terms.daysApart)} from your other payments.`,
          `You can make one or all payments early, at any time, without a penalty. The fee of ${fee} is not refunded.`,
          `If your ${payee} credits or refunds some of your ${dues}, the credit lowers your last payments first. If it is more than you owe, we will return the difference to the account or card that you paid with.`,
        ],
      },
      {
        heading: 'If a payment fails or is late',
        blocks: [
          'We will email you to say whether we will try again, and when. If we do not try again, you make the payment yourself, in your plan. You owe the payment, but no late fee. Your other payments keep their dates: we will not ask you to repay everything early. If your bank returns a payment that went through, you owe it again.',
          `${terms.pastDueDays} days late: if a payment is not made within ${terms.pastDueDays} days after its due date, your plan is past due. You cannot split your ${dues} again until you have paid what is late.`,
          `${terms.chargeOffDays} days late: if a payment is not made within ${terms.chargeOffDays} days after its due date, we close the plan and stop automatic payments. You still owe what you have not paid. Email ${creditor.supportEmail} to pay it.`,
          `This agreement does not change your ${variant === 'hoa' ? 'obligations to your association' : 'lease'}.`,
        ],
      },
      {
        heading: 'Electronic records and signature',
        blocks: [
          'You sign by checking the box and pressing the button. You agree to read this agreement and its disclosures on screen, where you can save and print them before you sign. You also agree to receive a copy of it and all notices about this plan electronically, in your plan and by email, unless you chose to get notices on paper. This consent covers this plan only.',
          'You need a phone, tablet or computer with internet access, a current web browser, an email address, and a printer or storage to keep copies.',
          `You can get a free paper copy: email ${creditor.supportEmail} or write to our mailing address. You can withdraw your consent at any time, at no cost: in your plan, under “How you get notices”, or by writing to the same addresses. If you chose paper or withdraw, we send the notices on paper. Your plan, and what you owe, stay the same. To change your email address, change it in your ${portal(variant)}.`,
        ],
      },
      {
        heading: 'Questions',
        blocks: [
          `Email ${creditor.supportEmail}, or write to ${creditor.name}, ${creditor.address}. Include your plan number.`,
        ],
      },
    ];
  },
  military: (phone) => ({
    heading: 'Military Lending Act',
    blocks: [
      // The model statement of 32 CFR 232.6(c)(3), word for word.
      'Federal law provides important protections to members of the Armed Forces and their dependents relating to extensions of consumer credit. In general, the cost of consumer credit to a member of the Armed Forces and his or her dependent may not exceed an annual percentage rate of 36 percent. This rate must include, as applicable to the credit transaction or account: The costs associated with credit insurance premiums; fees for ancillary products sold in connection with the credit transaction; any application fee charged (other than certain application fees for specified credit transactions or accounts); and any participation fee charged (other than certain participation fees for a credit card account).',
      ...(phone === null
        ? []
        : [`To hear this statement and your payments by phone, call ${phone}. The call is free.`]),
      'If a term of the agreement is one that the Military Lending Act forbids, it does not apply to you. You do not have to settle a dispute by arbitration, and you keep all rights under state and federal law, such as the Servicemembers Civil Relief Act. You do not have to pay by a military allotment or by automatic payments, and you can pay early without a penalty.',
    ],
  }),
  notice: { reasons, rights: equalCreditNotice, ...enSources },
};

/** Never the last four digits: the page behind the mail's link asks for them. */
function methodKind(method: MailFacts['method']): string {
  return method === null || method.brand === null
    ? 'bank account'
    : `${cardBrands[method.brand]} card`;
}

function toMethod(method: MailFacts['method']): string {
  return method === null ? '' : ` to your ${methodKind(method)}`;
}

function fromMethod(method: MailFacts['method']): string {
  return method === null ? '' : ` from your ${methodKind(method)}`;
}

/** Why the bank refused, if it helps the tenant to know. */
function bankReason(code: string | null): string | null {
  switch (code) {
    case 'R01':
    case 'R09':
    case 'insufficient_funds':
      return 'There wasn’t enough money in the account.';
    case 'R02':
      return 'The account is closed, so please choose another one.';
    case 'R03':
    case 'R04':
      return 'The bank couldn’t find the account, so please check its number or choose another one.';
    case 'expired_card':
      return 'The card has expired, so please choose another one.';
    case 'lost_or_stolen':
      return 'The card was reported lost or stolen, so please choose another one.';
    default:
      return null;
  }
}

function cannotPay({ supportEmail }: MailFacts['creditor']): string {
  return `If you can’t pay all of it right now, email ${supportEmail} and we’ll work out a way together.`;
}

function rentOrDues(variant: ProductVariant): string {
  return variant === 'hoa' ? 'association dues' : 'rent';
}

/** After `due`, which is plural for dues. */
function isOrAre(variant: ProductVariant): string {
  return variant === 'hoa' ? 'are' : 'is';
}

/** The last day to move a payment to. Dues may be due every quarter or year, so it is said without the next ones. */
function untilWhen(variant: ProductVariant): string {
  return variant === 'hoa'
    ? 'less than one month after the due date of your association dues'
    : 'before your next rent is due';
}

function portal(variant: ProductVariant): string {
  return variant === 'hoa' ? 'owner portal' : 'resident portal';
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function leftRow(left: MailFacts['left']) {
  return left === null ? [] : [['Left to pay', left] as const];
}

function nextRow(next: MailFacts['next']) {
  return next === null ? [] : [['Next payment', `${next.amount} on ${next.day.full}`] as const];
}

function retriesText({ retries, retryReasons }: AgreementTerms): string {
  if (retries === 0) return 'If a payment fails, we will not try it again automatically.';
  const times =
    retries === 1
      ? 'once, on a later business day'
      : `up to ${retries} times, on later business days`;
  return `If a payment fails because ${retryReasons}, you authorize us to try it again ${times}. If it fails for any other reason, we will not try it again automatically.`;
}

function ofDetails({ amount, property }: NonNullable<TextFacts['details']>): string {
  return property === null ? ` of ${amount}` : ` of ${amount} for ${property}`;
}

function dayCount(days: number): string {
  return days === 1 ? '1 day' : `${days} days`;
}
