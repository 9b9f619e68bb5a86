import type { DoctorInput } from '@svc/contract';
import { describeAttempt, EngineRefusal, type Outcome } from '@svc/webhooks';
import type { Service } from '../../context.ts';
import { isOriginAllowed } from '../partners/allowed-origins.ts';
import { type Check, createCheck } from './check.ts';
import { type FetchDirective, metaPolicies, missingDirective, parsePolicies } from './csp.ts';

interface PageAnswer {
  readonly url: URL;
  readonly outcome: Outcome;
}

/** Fetches the page. Without an answer, the check says why. */
export async function openPage(
  { publicOrigin }: Service,
  pageUrl: string | undefined,
  fetchPage: (url: string) => Promise<Outcome>,
): Promise<{ answer: PageAnswer | undefined; check: Check }> {
  const check = createCheck('page', 'Your page', { publicOrigin, docs: '/docs/security' });
  if (pageUrl === undefined) {
    return { answer: undefined, check: check.skipped('Give a page_url to have it checked.') };
  }
  try {
    const outcome = await fetchPage(pageUrl);
    const { status } = outcome;
    if (status === null) {
      const hint = describeAttempt(outcome) ?? 'It did not answer.';
      const fix =
        'Give an address that this service can reach, or run the doctor next to the page.';
      return { answer: undefined, check: check.fail(hint, fix) };
    }
    const answer = { url: new URL(pageUrl), outcome };
    const { location } = outcome.responseHeaders;
    if (status >= 300 && status < 400) {
      const to = location ? ` to ${location}` : '';
      const fix = 'Give the address that it leads to. Headers of this answer were checked.';
      return { answer, check: check.warn(`It answers ${status} and leads${to}.`, fix) };
    }
    if (status >= 400) {
      const fix =
        'If the page needs a sign-in, its headers were checked anyway. Otherwise give another address.';
      return { answer, check: check.warn(`It answers ${status}.`, fix) };
    }
    return { answer, check: check.pass(`It answers ${status}.`) };
  } catch (error) {
    // A URL that may not be fetched is a finding, not a failure of the doctor.
    if (!(error instanceof EngineRefusal)) throw error;
    return { answer: undefined, check: check.fail(error.message, 'Give another address.') };
  }
}

/** Checks whether the page's origin may show the widget. */
export function checkOrigins(
  { publicOrigin, environment }: Service,
  allowed: readonly string[],
  pageUrl: string | undefined,
): Check {
  const docs = '/docs/errors#origin_not_allowed';
  const check = createCheck('origins', 'Allowed origins', { publicOrigin, docs });
  if (allowed.length === 0) {
    return environment === 'sandbox'
      ? check.warn(
          'No origins are set: any page may show the widget in the sandbox, and none in production.',
          'Set them with PUT /v1/partner/allowed_origins.',
        )
      : check.fail(
          'No origins are set, so no page may show the widget.',
          'Set them with PUT /v1/partner/allowed_origins.',
        );
  }
  const origin = pageUrl === undefined ? null : webOrigin(pageUrl);
  if (origin === null) {
    return check.pass(`${allowed.join(', ')}. Give a page_url to compare its origin.`);
  }
  if (isOriginAllowed(allowed, origin, environment)) return check.pass(`${origin} is allowed.`);
  return check.fail(
    `${origin} is not among ${allowed.join(', ')}.`,
    `Add ${origin} with PUT /v1/partner/allowed_origins.`,
  );
}

/** Returns the origin of a page on the web; null for `ftp://x` and anything else that is no web page. */
function webOrigin(pageUrl: string): string | null {
  if (!URL.canParse(pageUrl)) return null;
  const { protocol, origin } = new URL(pageUrl);
  return protocol === 'https:' || protocol === 'http:' ? origin : null;
}

/** Checks the page's Content-Security-Policy, in headers and in its HTML. */
export function checkPolicy(
  { publicOrigin, environment }: Service,
  pms: string,
  answer: PageAnswer | undefined,
  diagnosis: DoctorInput['diagnosis'],
): Check {
  const docs = '/docs/csp';
  const check = createCheck('csp', 'Content-Security-Policy', { publicOrigin, docs });
  const blockedBy = diagnosis?.blocked_by ?? [];
  const blockedInBrowser = () =>
    check.fail(
      `In the browser, the page's policy blocked this service by ${blockedBy.join(' and ')}.`,
      `Add ${publicOrigin} to ${blockedBy.join(' and ')}.`,
    );
  if (!answer)
    return blockedBy.length > 0 ? blockedInBrowser() : check.skipped('The page was not read.');
  const { url: page, outcome } = answer;
  const html = outcome.responseBody ?? '';
  const header = outcome.responseHeaders['content-security-policy'] ?? '';
  const policies = [...parsePolicies(header), ...metaPolicies(html)];
  const serviceUrl = (path: string) => new URL(path, publicOrigin);
  const needs: [FetchDirective, URL][] = [
    ['frame-src', serviceUrl(`/experience/${pms}`)],
    ['connect-src', serviceUrl('/v1/widget/session')],
  ];
  if (html.includes(`${publicOrigin}/sdk/`))
    needs.push(['script-src', serviceUrl('/sdk/svc.iife.js')]);
  const missing = policies.flatMap((policy) =>
    needs.flatMap(([name, target]) => missingDirective(policy, name, { page, target }) ?? []),
  );
  if (missing.length > 0) {
    const blocksFrame = missing.some((it) => it.startsWith('frame-src'));
    return check.fail(
      `The page's policy blocks ${blocksFrame ? 'the experience' : 'requests of the widget'}.`,
      `The policy needs "${missing.join('; ')}".`,
    );
  }
  // Scripts may add a policy, and a signed-in page may have another one.
  if (blockedBy.length > 0) return blockedInBrowser();
  if (policies.length === 0) return check.pass('The page has no policy, so it blocks nothing.');
  const sandboxed = policies.map((policy) => policy.get('sandbox')).find((it) => it !== undefined);
  if (sandboxed && !['allow-scripts', 'allow-same-origin'].every((it) => sandboxed.includes(it))) {
    return check.fail(
      'The page’s policy has a sandbox directive, which takes its scripts or its origin away.',
      'Add allow-scripts and allow-same-origin to it, or remove it.',
    );
  }
  return check.pass(`The page's policy allows ${publicOrigin} (${environment}).`);
}

/** Checks the page's other headers that keep a browser from showing our frame. */
export function checkFrameHeaders(
  { publicOrigin }: Service,
  answer: PageAnswer | undefined,
): Check {
  const docs = '/docs/errors#frame_timeout';
  const check = createCheck('frame_headers', 'Frame headers', { publicOrigin, docs });
  if (!answer) return check.skipped('The page was not read.');
  const { responseHeaders: headers } = answer.outcome;
  const embedder = (headers['cross-origin-embedder-policy'] ?? '').split(';')[0]?.trim();
  if (embedder === 'require-corp' || embedder === 'credentialless') {
    return check.fail(
      `The page sends Cross-Origin-Embedder-Policy: ${embedder}, so browsers show no frame of another site.`,
      'Leave the header out on pages with the widget.',
    );
  }
  const frameOptions = headers['x-frame-options'];
  if (frameOptions !== undefined) {
    return check.pass(
      `X-Frame-Options: ${frameOptions} is about showing your page in a frame. It does not affect ours.`,
    );
  }
  return check.pass('No header keeps browsers from showing the experience.');
}

const minimum = { width: 320, height: 250 };

/** Checks the widget's size, which comes with the diagnosis because only a browser knows it. */
export function checkContainer(
  { publicOrigin }: Service,
  diagnosis: DoctorInput['diagnosis'],
): Check {
  const docs = '/docs/errors#container_too_small';
  const check = createCheck('container', 'Container size', { publicOrigin, docs });
  if (!diagnosis) {
    return check.skipped(
      'Only a browser can measure it: add the output of svc.diagnose() from the page.',
    );
  }
  const { container } = diagnosis;
  if (!container) {
    return check.fail(
      'The widget is not on the page, or its container is hidden.',
      'Append createWidget() to a container of at least 320 × 250 px.',
    );
  }
  const { width, height } = container;
  const size = `${Math.round(width)} × ${Math.round(height)} px`;
  if (width < minimum.width || height < minimum.height) {
    return check.fail(`The widget has ${size}.`, 'Give its container at least 320 × 250 px.');
  }
  return check.pass(`The widget has ${size}.`);
}

/** Checks the errors that the SDK has reported on the page. */
export function checkReported(
  { publicOrigin }: Service,
  diagnosis: DoctorInput['diagnosis'],
): Check {
  const codes = [...new Set((diagnosis?.problems ?? []).map(({ error_code }) => error_code))];
  const docs = `/docs/errors${codes[0] ? `#${encodeURIComponent(codes[0])}` : ''}`;
  const check = createCheck('sdk', 'Errors on the page', { publicOrigin, docs });
  if (!diagnosis) return check.skipped('Add the output of svc.diagnose() from the page.');
  if (codes.length === 0) return check.pass('The SDK has reported no ERROR event.');
  return check.warn(
    `The SDK has reported ${codes.join(', ')}.`,
    'Look the codes up in the docs; the console of a sandbox page says more.',
  );
}
