import type { Outcome } from '@svc/webhooks';
import type { Service } from '../../context.ts';
import { type Check, createCheck } from './check.ts';

/** Receivers accept timestamps that are up to this old or new. */
const toleratedMs = 5 * 60_000;
// The Date header counts whole seconds, and an answer may wait in a cache or on the way.
const noticeableMs = 60_000;

/** Checks the partner's clock by the Date header of responses. The endpoint's matters most: it verifies timestamps. */
export function checkClock(
  { publicOrigin }: Service,
  answers: readonly { readonly of: string; readonly outcome: Outcome | undefined }[],
): Check {
  const check = createCheck('clock', 'Clock', { publicOrigin, docs: '/docs/webhooks' });
  for (const { of, outcome } of answers) {
    const date = Date.parse(outcome?.responseHeaders.date ?? '');
    if (!outcome || Number.isNaN(date)) continue;
    const skewMs = date - outcome.endedAt.getTime();
    const seconds = Math.round(Math.abs(skewMs) / 1_000);
    const off = `The clock of ${of} is ${seconds} s ${skewMs < 0 ? 'behind' : 'ahead of'} ours`;
    const fix = 'Synchronize the server’s clock with NTP.';
    if (Math.abs(skewMs) >= toleratedMs) {
      return check.fail(`${off}: it refuses our timestamps, which may be off by 300 s.`, fix);
    }
    if (Math.abs(skewMs) >= noticeableMs) return check.warn(`${off}.`, fix);
    return check.pass(`The clock of ${of} agrees with ours to ${Math.max(1, seconds)} s.`);
  }
  return check.skipped('No answer of your servers had a Date header.');
}
