import { errorCatalog, type SdkError, sdkErrorCatalog } from '@svc/contract';
import { sampleOrigin } from '../generate/sample-origin.ts';
import type { Insert } from './insert.ts';

type EventCode = NonNullable<SdkError['code']>;

/** The numbers of `ERROR` events: a heading, the value of `retryable`, and where to read more. */
const eventCodes: Record<EventCode, { title: string; retry: string; more: string }> = {
  1000: {
    title: 'The settings are wrong',
    retry: 'no',
    more: '`error.issues` has `name`, `got`, `wants` and `message` of each wrong setting. In React, [`useSvc`](react.md#opening) names the widget that you mean.',
  },
  1001: {
    title: 'The signature or the portal name is wrong',
    retry: 'no',
    more: 'The widget is disabled. Compare your function with [the vectors](backend.md#check-your-signature).',
  },
  1002: {
    title: 'The container is too small',
    retry: 'no',
    more: 'It is reported once each time the container becomes too small. The widget is laid out down to 280 px.',
  },
  1100: {
    title: 'There is no usable token',
    retry: 'yes, with a new token',
    more: 'A token works once, within 60 minutes and for one tenant. It is `null` for a dry run.',
  },
  1200: {
    title: 'The service was not reached',
    retry: 'yes',
    more: '[Content Security Policy](csp.md) has the directives that the widget needs.',
  },
  1300: {
    title: 'The frame was not allowed or did not answer',
    retry: 'yes',
    more: '[Content Security Policy](csp.md) explains the policy of your page and the list of allowed origins.',
  },
  1400: {
    title: 'The click callback failed',
    retry: 'yes',
    more: 'If your backend cannot get a token, let it answer with an error rather than an empty token.',
  },
  1500: {
    title: 'The service failed',
    retry: 'yes',
    more: '`request_id` names the request: send it with questions.',
  },
};

/** Describes every code of the SDK under its event's number. If the API has the same code, the id gets a prefix. */
export function sdkCodes(): Insert {
  const entries: [string, SdkError][] = Object.entries(sdkErrorCatalog);
  const describeAll = (number: EventCode | null) =>
    entries.filter(([, { code }]) => code === number).map(([code, entry]) => describe(code, entry));
  // Object.entries returns keys that are numbers in ascending order.
  const groups = Object.entries(eventCodes).map(([number, { title, retry, more }]) =>
    [
      `### \`${number}\` ${title} {#${number}}`,
      `${more} \`retryable\`: ${retry}.`,
      ...describeAll(Number(number) as EventCode),
    ].join('\n\n'),
  );
  const consoleOnly = [
    '### Lines of the console only {#console-only}',
    'In the sandbox the console also explains why a tenant cannot split. Nothing is wrong with the page, and there is no event.',
    ...describeAll(null),
  ].join('\n\n');
  return { markdown: [...groups, consoleOnly].join('\n\n') };
}

function describe(code: string, { meaning, cause, fix }: SdkError): string {
  const id = Object.hasOwn(errorCatalog, code) ? `sdk-${code}` : code;
  return [
    `#### \`${code}\` {#${id}}`,
    fillPlaceholders(meaning),
    `- **Cause:** ${fillPlaceholders(cause)}\n- **What to do:** ${fillPlaceholders(fix)}`,
  ].join('\n\n');
}

function fillPlaceholders(words: string): string {
  return words
    .replaceAll('{service}', sampleOrigin)
    .replaceAll('{page}', 'your page’s origin')
    .replace(/\b(?:GET|POST|PUT) \/v1\/[\w/{}]+/g, '`$&`');
}
