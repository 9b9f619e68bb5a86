import type { PageCaseName, ServiceCaseName } from '@svc/contract';

/** The service's cases, for the help, completion and messages. A newer service may know more. */
export const serviceCases = {
  handshake: 'a valid webhook is accepted and a forged one refused',
  raw_body: 'the signature is verified over the raw bytes',
  altered_body: 'a changed body is refused',
  old_timestamp: 'an old timestamp is refused',
  rotated_secret: 'a second signature is enough, as during a rotation',
  unknown_type: 'an unknown event type is accepted and ignored',
  unknown_field: 'an unknown field is ignored',
  large_body: 'a body of 400 kB is accepted',
  burst: '20 webhooks at once are accepted',
  keep_alive: 'connections are kept open',
  compressed_answer: 'a compressed answer does no harm',
  test_mark: 'tests and custom messages move no money',
  stored_before_answer: 'a webhook is stored before it is answered',
  duplicates: 'a repeated webhook is handled once',
  reordered: 'the order of arrival does not matter',
  late: 'an old message after newer ones changes nothing',
  outage: 'what was lost in an outage arrives by retries and a replay',
  split: 'a tenant splits the rent',
  settled: 'the settlement arrives',
  declined: 'an application is declined',
  first_payment_failed: 'the first payment fails',
  installment_failed: 'a later payment fails',
  past_due: 'a plan is 30 days late',
  paid_off: 'a plan is paid off',
  disputed: 'the bank reverses a payment',
  charged_off: 'a plan is 120 days late',
  moved_out: 'a tenant moves out',
  debited_once: 'each settlement is debited once',
  reported: 'each debit is reported',
  report_repeated: 'a report that failed is sent again',
  returned: 'a returned debit is noticed',
  refunded: 'a refund is sent back once',
  daily_report: 'the day’s report agrees with your debits',
} as const satisfies Record<ServiceCaseName, string>;

export const pageCaseTitles = {
  widget_shown: 'the page shows the widget',
  sizes: 'the widget fits on a phone and on a desktop',
  csp: 'the page’s policy allows the experience',
  signature: 'the widget’s signature is accepted',
  click_to_done: 'a tenant gets from the click to a plan',
  keyboard_only: 'the keyboard is enough',
  service_slow: 'the page does not wait for a slow service',
  service_down: 'the page works without the service',
  token_expired: 'an expired token is replaced',
  double_click: 'a double click opens one experience',
  language: 'the widget speaks the page’s language',
  key_in_page: 'no key or secret is in the page',
} as const satisfies Record<PageCaseName, string>;

export const caseNames: readonly string[] = [
  ...Object.keys(serviceCases),
  ...Object.keys(pageCaseTitles),
];

/** Returns the known name that is spelled most like this one; undefined if none is near. */
export function nearestCase(name: string): string | undefined {
  const plain = name.toLowerCase().replaceAll(/[^a-z]+/g, '_');
  const ranked = caseNames
    .map((known) => ({ known, distance: distanceOf(plain, known) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  const isNear = best && best.distance <= Math.max(2, Math.floor(best.known.length / 3));
  return isNear ? best.known : caseNames.find((known) => plain !== '' && known.startsWith(plain));
}

/** Returns how many letters to add, remove or replace (Levenshtein distance). */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
