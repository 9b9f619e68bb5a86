import { describeAttempt, type Outcome, type Probed } from '@svc/webhooks';
import type { Mistake } from './finding.ts';
import { type ReadView, readTenantView } from './tenant-view.ts';

/** Describes an outcome as `Your endpoint answered 404`. */
export function describeOutcome({ status, errorClass }: Outcome): string {
  return status === null ? `No answer (${errorClass})` : `Your endpoint answered ${status}`;
}

/** Advice that is added to the fix for a webhook that was refused, or had no effect. */
export const unknownTenantAdvice =
  'If your receiver refuses or skips tenants that it does not know, let those whose id begins with "certify-" through in the sandbox, or pass your own test tenants (tenants, or --tenants in the command line).';

/** Returns the mistake behind a response other than 2xx. */
export function refusalOf(answer: Outcome, what: string): Mistake {
  const { status, errorClass } = answer;
  const hint = describeAttempt(answer) ?? 'Answer 2xx.';
  if (errorClass === 'timeout') {
    return {
      summary: `No answer to ${what} within 15 seconds.`,
      cause: 'Your receiver hangs, or does its work before it answers.',
      fix: 'Store the event, answer 2xx, and do the work afterwards.',
    };
  }
  if (status === 413) {
    return {
      summary: `Your endpoint answered 413 to ${what}.`,
      cause: 'Your framework or proxy limits bodies to less than our largest ones.',
      fix: 'Raise the limit of this route to at least 256 KiB.',
      docs: '/docs/webhooks#the-body',
    };
  }
  return {
    summary:
      status === null
        ? `No answer to ${what} (${errorClass}).`
        : `Your endpoint answered ${status} to ${what}.`,
    cause: causeOf(status),
    fix: hint,
  };
}

function causeOf(status: number | null): string {
  if (status === null) return 'Your receiver cannot be reached at this address.';
  if (status < 400) return 'Your endpoint redirects, and webhooks follow no redirect.';
  if (status >= 500) return 'Your receiver throws an error that it does not catch.';
  return 'Your receiver refuses a webhook that is valid.';
}

export function viewOf({
  status,
  responseBody,
  responseTruncated,
  ...answer
}: Probed): ReadView | Mistake {
  if (status === 200 && !responseTruncated) return readTenantView(responseBody ?? '');
  const hint = describeAttempt({ status, responseBody, ...answer });
  const isRefused = status === 400 || status === 401 || status === 403;
  return {
    summary:
      status === null
        ? `Your tenant query did not answer (${answer.errorClass}).`
        : `Your tenant query answered ${status}${responseTruncated ? ' with more than 256 KiB' : ''}.`,
    cause: isRefused
      ? 'It refuses our signature, or it needs a sign-in. The signed text is the tenant’s id, with the webhook’s secret.'
      : 'It cannot be reached at this address, throws an error, or answers too much.',
    fix: isRefused || !hint ? 'Verify it as the docs show, and answer 200.' : hint,
    docs: '/docs/tenant-query',
  };
}

export function isMistake(view: ReadView | Mistake): view is Mistake {
  return 'cause' in view;
}
