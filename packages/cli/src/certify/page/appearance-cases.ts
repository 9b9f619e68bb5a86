import { explainPolicy } from './explain-unopened.ts';
import { type Finding, fail, type PageCase, type PageRun, pass, skip, warn } from './page-case.ts';
import {
  desktop,
  isSessionRequest,
  phone,
  readSession,
  type Visit,
  visit,
  withoutQuery,
} from './visit.ts';

export const noWidget = skip('The page does not show the widget.');

const sizesToTry = [
  ['on a desktop', desktop],
  ['on a phone', phone],
] as const;

/** Runs a check on both sizes. Returns the first finding, or null if both pass. */
async function onBothSizes(
  check: (where: string, size: typeof desktop) => Promise<Finding | null>,
): Promise<Finding | null> {
  for (const [where, size] of sizesToTry) {
    const finding = await check(where, size);
    if (finding) return finding;
  }
  return null;
}

export const widgetShown: PageCase = async (run, notes) =>
  (await onBothSizes((where, size) =>
    visit(run, notes, { size }, async (it) => {
      if (it.widget) {
        notes.add(`Found the widget ${where}`, `Its button says “${it.widget.label}”.`);
        return null;
      }
      return explainMissing(it, run, where);
    }),
  )) ?? pass('The widget is shown on a desktop and on a phone.');

async function explainMissing(
  { tab, loaded }: Visit,
  { pageUrl, serviceOrigin }: PageRun,
  where: string,
): Promise<Finding> {
  if (loaded.error !== null) {
    return fail({
      summary: `The browser cannot open the page: ${loaded.error}.`,
      cause: 'The page does not answer.',
      fix: 'Start your portal, and pass the address of the page with the widget.',
      docs: '/docs/certify#page',
    });
  }
  const signIn = {
    fix: 'Pass the session of a signed-in test tenant, such as --cookie session=….',
    docs: '/docs/certify#page',
  };
  if ((loaded.status ?? 200) >= 400) {
    return fail({
      summary: `The page answers ${loaded.status}.`,
      cause:
        loaded.status === 401 || loaded.status === 403
          ? 'The page wants a signed-in tenant.'
          : 'The address does not lead to the page with the widget, or your portal fails.',
      ...signIn,
    });
  }
  if (withoutQuery(loaded.url) !== withoutQuery(pageUrl)) {
    return fail({
      summary: `The page leads to ${withoutQuery(loaded.url)}, which has no widget.`,
      cause: 'The page redirects, most likely to a sign-in.',
      ...signIn,
    });
  }
  const blocked = await explainPolicy(tab, serviceOrigin);
  if (blocked) return blocked;
  const sdk = tab.requests.find(({ url }) => new URL(url).pathname.startsWith('/sdk/'));
  if (sdk && (sdk.error !== null || (sdk.status ?? 0) >= 400)) {
    return fail({
      summary: `The script ${withoutQuery(sdk.url)} did not load: ${sdk.error ?? sdk.status}.`,
      cause: 'The address of the SDK in your page is wrong, or the service is not there.',
      fix: `Load the SDK from ${serviceOrigin}/sdk/, or from the package @svc/core.`,
      docs: '/docs/html',
    });
  }
  const sessionRequest = tab.requests.find(isSessionRequest);
  if (sessionRequest && !sessionRequest.url.startsWith(serviceOrigin)) {
    return fail({
      summary: `The page talks to ${new URL(sessionRequest.url).origin}, not to ${serviceOrigin}.`,
      cause: 'baseUrl of the widget names another service.',
      fix: `Set baseUrl to ${serviceOrigin}/v1 for this test.`,
      docs: '/docs/widget#required-settings',
    });
  }
  const [exception] = tab.exceptions;
  if (exception !== undefined) {
    return fail({
      summary: `A script of the page failed: ${exception}`,
      cause: 'The error keeps your page from creating the widget.',
      fix: 'Fix the error: the browser’s console has its place.',
      docs: '/docs/widget#required-settings',
    });
  }
  const hidden = await tab.look('page', 'widget');
  const frame = (await tab.look('page', 'page', serviceOrigin))?.frame ?? null;
  if (!hidden && frame !== null) {
    return fail({
      summary: `There is no widget ${where}, and the page has the frame ${withoutQuery(frame)}.`,
      cause: 'The widget is in a frame of this page, where the command does not look.',
      fix: 'Pass the address of the frame with --page.',
      docs: '/docs/certify#page',
    });
  }
  return fail({
    summary: `There is no widget ${where}.`,
    cause: hidden
      ? 'The widget is in the page, and its container is hidden.'
      : 'Your page does not append the element of createWidget().',
    fix: 'Append createWidget() to a visible container of at least 320 × 250 px.',
    docs: '/docs/html',
  });
}

const minimum = { width: 320, height: 250 };

export const sizes: PageCase = async (run, notes) =>
  (await onBothSizes((where, size) =>
    visit(run, notes, { size }, async ({ widget }) => {
      if (!widget) return noWidget;
      const width = Math.round(widget.visibleWidth);
      const height = Math.round(widget.visibleHeight);
      notes.add(`Measured the widget ${where}`, `${width} × ${height} px can be seen.`);
      // Browsers lay out in fractions of a pixel.
      if (widget.visibleWidth > minimum.width - 1 && widget.visibleHeight > minimum.height - 1) {
        return null;
      }
      const isCut =
        widget.width - widget.visibleWidth > 1 || widget.height - widget.visibleHeight > 1;
      const isLow = widget.visibleHeight <= minimum.height - 1;
      return fail({
        summary: `The tenant sees ${width} × ${height} px of the widget ${where}. It needs 320 × 250 px.`,
        cause: isLow
          ? `The height of the container ${widget.container} is too small${isCut ? ', and it cuts the widget off' : ''}.`
          : `The container ${widget.container} is ${isCut ? 'wider than what can be seen of it' : 'too narrow'}.`,
        fix: isLow
          ? 'Give the container min-height: 250px instead of a fixed height.'
          : 'Give the container at least 320 px, and no padding that takes them away on a phone.',
        docs: '/docs/errors#container_too_small',
      });
    }),
  )) ?? pass('On a desktop and on a phone, the whole widget can be seen.');

export const csp: PageCase = (run, notes) =>
  visit(run, notes, {}, async ({ tab, widget }) => {
    const { serviceOrigin } = run;
    const blocked = await explainPolicy(tab, serviceOrigin);
    if (blocked) return blocked;
    if (!widget) return noWidget;
    // The frame starts to load when the pointer is on the button.
    await tab.hover(widgetButton);
    const settled = await tab.until(
      async () => ({
        isLoaded:
          (await tab.look('experience', 'screen')) !== null || frameAnswer(tab) !== undefined,
        finding: await explainPolicy(tab, serviceOrigin),
      }),
      ({ isLoaded, finding }) => isLoaded || finding !== null,
      8_000,
    );
    notes.add('Put the pointer on the widget, which loads the experience');
    const finding = settled?.finding ?? (await explainPolicy(tab, serviceOrigin));
    if (finding) return finding;
    if (settled === null) {
      return warn({
        summary: 'The experience did not load when the pointer was on the widget.',
        cause: 'Something in the page or the network keeps the frame from loading.',
        fix: 'Open the page in a browser, and read its console.',
        docs: '/docs/csp#when-something-is-blocked',
      });
    }
    return pass(`The page’s policy allows scripts, requests and the frame of ${serviceOrigin}.`);
  });

export const widgetButton = '.svc-widget .svc-button';

const frameAnswer = (tab: Visit['tab']) =>
  tab.requests.find(
    ({ url, type, status }) =>
      type === 'Document' && new URL(url).pathname.startsWith('/experience/') && status === 200,
  );

export const signature: PageCase = (run, notes) =>
  visit(run, notes, {}, async ({ widget, session }) => {
    if (!widget) return noWidget;
    if (!session) {
      return skip('The widget did not ask the service, as with identityCheck: "open".');
    }
    const { status, code, message } = await readSession(session);
    notes.add(
      'The widget asked the service',
      `${session.status ?? session.error}: ${code ?? status}`,
    );
    if (session.status === 200) return pass(`The service knows the tenant: ${status}.`);
    const summary = `The service refused the widget with ${session.status ?? session.error}: ${message ?? 'no explanation'}`;
    if (session.status === 401) {
      return fail({
        summary,
        cause: 'Your backend computes another signature than the service.',
        fix: 'Sign pms + "+" + externalId with HMAC-SHA256 and the API key, as hex: signWidget does it. “svc doctor <page> --tenant <id>” compares yours.',
        docs: '/docs/backend#check-your-signature',
      });
    }
    if (code === 'origin_not_allowed') {
      return fail({
        summary,
        cause: 'The page’s origin is not among your allowed origins.',
        fix: `Add ${new URL(run.pageUrl).origin} with PUT /v1/partner/allowed_origins.`,
        docs: '/docs/errors#origin_not_allowed',
      });
    }
    return fail({
      summary,
      cause: 'The service does not accept what the widget says about the tenant.',
      fix: 'Check pms, externalId, environment and baseUrl of the widget.',
      docs: '/docs/widget#required-settings',
    });
  });

const languages = { 'en-US': 'English', 'es-US': 'Spanish' } as const;

export const language: PageCase = async (run, notes) => {
  for (const [tag, name] of Object.entries(languages)) {
    const finding = await visit(run, notes, { language: tag }, async ({ tab, widget }) => {
      if (!widget) return noWidget;
      const page = await tab.look('page', 'page', run.serviceOrigin);
      const [pageLanguage = ''] = (page?.lang ?? '').toLowerCase().split('-');
      const [widgetLanguage] = widget.lang.toLowerCase().split('-');
      notes.add(
        `A browser in ${name}`,
        `The page has lang="${page?.lang ?? ''}", the widget lang="${widget.lang}".`,
      );
      if (pageLanguage === '') {
        return warn({
          summary: 'The page does not say its language.',
          cause:
            'Its <html> element has no lang attribute, so screen readers guess how to read it.',
          fix: 'Write <html lang="en">, or the language that the page is in.',
          docs: '/docs/widget#languages',
        });
      }
      if (pageLanguage === widgetLanguage) return null;
      const isSpanish = pageLanguage === 'es';
      const problem = {
        summary: `The page is in “${page?.lang}”, and the widget in “${widget.lang}”.`,
        cause: 'Your page does not pass its language to the widget as a locale object.',
        fix: isSpanish
          ? 'Import es from @svc/core/locales/es, and pass locale: es on Spanish pages.'
          : 'Pass a locale object with your translations.',
        docs: '/docs/widget#languages',
      };
      return isSpanish || pageLanguage === 'en' ? fail(problem) : warn(problem);
    });
    if (finding) return finding;
  }
  return pass('The widget speaks the language of the page.');
};

/** Keys and secrets by their form, in case the page has another one than the CLI. */
const secrets = [
  ['API key', /svc_(?:sandbox|production)_[\w-]{16,}/],
  ['signing secret', /whsec_[\w+/=-]{16,}/],
] as const;
const mostScannedBytes = 5_000_000;

export const keyInPage: PageCase = (run, notes) =>
  visit(run, notes, {}, async ({ tab, widget }) => {
    if (widget) {
      const before = tab.requests.length;
      await tab.click('page', widgetButton);
      // The request for the token is the one most likely to leak.
      await tab.until(
        () => tab.look('page', 'dialog'),
        ({ isOpen, phase }) => isOpen && phase !== 'loading',
        8_000,
      );
      notes.add('Clicked the widget', `${tab.requests.length - before} requests followed.`);
    }
    const scanned = tab.requests.filter(({ url }) => /^https?:/.test(url));
    for (const request of scanned) {
      const isOurs = new URL(request.url).origin === run.serviceOrigin;
      const body = isOurs ? '' : ((await request.readBody()) ?? '').slice(0, mostScannedBytes);
      const where = `${request.method} ${withoutQuery(request.url)}`;
      const receivedSecret = secretIn(body, run.apiKey);
      if (receivedSecret) return leaked(receivedSecret, `in the response of ${where}`);
      const sentSecret = secretIn(
        `${request.url}\n${request.headers}\n${request.body ?? ''}`,
        run.apiKey,
      );
      if (sentSecret) return leaked(sentSecret, `in a request of the browser, ${where}`);
    }
    notes.add(`Searched ${scanned.length} requests and their responses`);
    return pass('The browser gets no API key and no signing secret.');
  });

function secretIn(text: string, apiKey: string): string | null {
  if (text.includes(apiKey)) return 'API key';
  return secrets.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

function leaked(what: string, where: string): Finding {
  return fail({
    summary: `There is a secret ${where}.`,
    cause: `Your ${what} is ${where}, so everyone who opens the page can read it.`,
    fix:
      what === 'API key'
        ? 'Keep the key on your backend, which signs the widget and calls portal_info. Revoke this one.'
        : 'Keep the secret where webhooks are received, and rotate this one.',
    docs: '/docs/security#credentials',
  });
}
