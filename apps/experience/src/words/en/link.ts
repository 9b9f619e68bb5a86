/** What a link in a mail opens, and how its visitor shows who they are. */
export const link = {
  link: {
    title: 'See your payment plan',
    text: 'Your plan opens on this page.',
    once: 'This link works once. You can always find the same plan in your portal.',
    action: 'Open my plan',
  },
  confirm: {
    portalTitle: (portal: string) => `Continue in ${portal}`,
    portalLead:
      'You opened this page from an email, so you can only look at your plan here. To pay or change anything, sign in to your portal.',
    portalAction: (portal: string) => `Go to ${portal}`,
    title: 'Confirm it’s you',
    lead: 'You opened this page from an email. Before you pay or change anything, answer two questions.',
    last4: 'Last four digits of the account or card you pay with',
    last4Hint: 'You’ll find them on your card or bank statement.',
    last4Error: 'Enter four digits.',
    tries: (left: number) => (left === 1 ? 'You have one try left.' : `You have ${left} tries.`),
    wrong: (left: number) =>
      left === 1
        ? 'The date or the digits don’t match what we have. You have one try left.'
        : `The date or the digits don’t match what we have. You have ${left} tries left.`,
    action: 'Continue',
  },
};
