import { resolve } from 'node:path';
import type {
  CertificationCaseOutput,
  CertificationInput,
  CertificationOutput,
  PageCaseName,
  PageResultsInput,
} from '@svc/contract';
import type { Command } from 'commander';
import { findBrowser } from '../certify/browser/find-browser.ts';
import { type Browser, launchBrowser } from '../certify/browser/launch-browser.ts';
import { caseNames, nearestCase, pageCaseTitles, serviceCases } from '../certify/cases.ts';
import { checkWithoutBrowser } from '../certify/page/check-without-browser.ts';
import type { PageResult, PageRun } from '../certify/page/page-case.ts';
import { findServiceOrigin, runPageCase } from '../certify/page/run-page-cases.ts';
import { areaTitles, caseLines } from '../certify/report/case-lines.ts';
import { outcomeOf } from '../certify/report/outcome-of.ts';
import { writeReports } from '../certify/report/write-reports.ts';
import { type Action, addCommand, type CommandParts, type Context } from '../command.ts';
import { type Connection, isUnknownRoute } from '../connection.ts';
import { exitCodes, explainCallError, Failure, networkCodeOf, usageFailure } from '../failure.ts';
import { parseVariant } from '../parse-variant.ts';
import { clean, table } from '../terminal.ts';
import { addVerify } from './certify-verify.ts';

interface Options {
  page?: string;
  tenantQuery?: string;
  endpoint?: string;
  variant?: 'rent' | 'hoa';
  only?: string[];
  anyway?: boolean;
  resume?: string;
  tenants?: string[];
  cookie?: Cookie[];
  browser?: string;
  out?: string;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
}

/** The exit code with which a shell reports a program that Ctrl-C has ended. */
const interruptedCode = 130;
/** Timeout of a case in milliseconds. A case runs for at most a minute. */
const caseTimeoutMs = 90_000;
/** How long an interrupted command's case can keep the run busy, and how often to ask, in milliseconds. */
const busyMs = 100_000;
const busyIntervalMs = 2_000;

export function addCertify(program: Command, parts: CommandParts): void {
  const names = table(
    Object.entries({ ...serviceCases, ...pageCaseTitles }).map(([name, what]) => [
      `  ${name}`,
      what,
    ]),
  );
  const command = addCommand(program, parts, {
    name: 'certify',
    summary: 'prove that your integration works: your receiver, your debits and your page',
    examples: [
      ['svc certify', 'the receiver'],
      ['svc certify --page http://localhost:3000/rent', 'also your page, in a browser'],
      ['svc certify --tenant-query http://localhost:3000/svc-tenant', 'also what you stored'],
      ['svc certify --tenants t-1,t-2', 'with your own test tenants'],
      ['svc certify --only duplicates,reordered', 'some cases'],
      ['svc certify verify certify.json', 'check a report’s signature'],
    ],
    define: (it) =>
      it
        .option('--page <url>', 'your page with the widget, which a browser opens')
        .option('--tenant-query <url>', 'your address that shows what you stored about a tenant')
        .option('--endpoint <id>', 'the endpoint to send to, if several are enabled')
        .option('--variant <variant>', 'rent or hoa, for the tenants of the run', parseVariant)
        .option('--only <cases>', 'only these cases, with commas in between', listOfNames)
        .option('--anyway', 'go on if a receiver on this machine accepts a forged webhook')
        .option('--resume <id>', 'continue a run that was interrupted')
        .option(
          '--tenants <ids>',
          'your own test tenants to use, who lose their plans',
          listOfNames,
        )
        .option('--cookie <name=value>', 'of a signed-in tenant, for the page', addCookie)
        .option('--browser <path>', 'the Chrome, Chromium or Edge to use')
        .option('--out <folder>', 'write the report there: HTML, JSON, JUnit and a badge')
        .addHelpText('after', `\nCases:\n${names.join('\n')}`),
    action: certify,
  });
  addVerify(command, parts);
}

const certify: Action<Options> = async (context, options) => {
  const { environment, terminal } = context;
  refuseMisspelled(options.only ?? []);
  for (const [name, url] of [
    ['--page', options.page],
    ['--tenant-query', options.tenantQuery],
  ] as const) {
    if (url !== undefined && !isWebAddress(url)) {
      throw usageFailure(
        `${name}: "${clean(url)}" is not the address of a page.`,
        'Pass a URL with http(s).',
      );
    }
  }
  if (options.cookie !== undefined && options.page === undefined) {
    throw usageFailure('--cookie is for a page.', 'Pass the page’s address with --page.');
  }
  const browserPath = findBrowser(environment, options.browser);
  const connection = context.connect();
  const identity = await context.identity(connection);
  if (identity.environment === 'production') {
    throw new Failure('This is a production key, and a certification runs in the sandbox only.', {
      next: 'Use a sandbox key: its tenants are tests, and no money moves.',
      exitCode: exitCodes.credentials,
      code: 'wrong_environment',
    });
  }
  if (options.page !== undefined) await requireAnswer(connection, options.page);
  const signal = environment.untilInterrupted();
  const interrupted = untilAborted(signal);
  const run = await openRun(connection, options);
  refuseUnknown(run, options.only ?? []);
  terminal.print(
    `Certifying ${clean(identity.pms ?? '')} at ${connection.origin}, run ${clean(run.id)}`,
  );
  terminal.print(`  receiver ${clean(run.endpoint_url)}`);
  if (options.page !== undefined) terminal.print(`  page     ${clean(options.page)}`);
  if (run.tenants.length > 0) terminal.print(`  tenants  ${clean(run.tenants.join(', '))}`);
  if (run.tenant_query_url === null) {
    terminal.print('  No --tenant-query, so most cases about money cannot see what you stored.');
  }
  const pageRunner = createPageRunner(context, connection, options, browserPath, run.tenants);
  const names = namesToRun(run, options);
  let area = '';
  let done = 0;
  let lastSkipped: string | null = null;
  try {
    for (const name of names) {
      const known = run.cases.find((it) => it.name === name) as CertificationCaseOutput;
      const label = `${done + 1}/${names.length}  ${clean(known.title)}`;
      const work =
        known.area === 'page'
          ? pageRunner.run(run.id, name as PageCaseName)
          : runServiceCase(connection, run.id, name, signal);
      // The run keeps what was stored, and an interrupted case simply runs again.
      const result = await terminal.busy(label, Promise.race([work, interrupted]));
      if (result === 'interrupted') {
        work.catch(() => {});
        return reportStopped(context, run.id);
      }
      if (result.area !== area) {
        terminal.print();
        terminal.print(terminal.paint('bold', clean(areaTitles[result.area] ?? result.area)));
        area = result.area;
      }
      const lines = caseLines(terminal, result);
      // Most cases have the same reason if the handshake fails: say it once.
      const isRepeated = result.status === 'skipped' && result.summary === lastSkipped;
      for (const line of isRepeated ? lines.slice(0, 1) : lines) terminal.print(line);
      lastSkipped = result.status === 'skipped' ? result.summary : null;
      done += 1;
    }
  } catch (error) {
    if (signal.aborted) return reportStopped(context, run.id);
    throw withResume(error, run.id);
  } finally {
    await pageRunner.close();
  }
  const finished = await terminal.busy(
    'Signing the report',
    connection.run((client) =>
      client.request<CertificationOutput>('POST', `/certifications/${run.id}/finish`, {}),
    ),
  );
  return printVerdict(context, finished, options.out);
};

function printVerdict(
  { environment, terminal }: Context,
  run: CertificationOutput,
  out: string | undefined,
): number {
  const paths = out === undefined ? [] : writeReports(resolve(environment.folder, out), run);
  const outcome = outcomeOf(run);
  const [style, mark] = outcome === 'failed' ? (['red', '✗'] as const) : (['green', '✓'] as const);
  terminal.print();
  terminal.print(`${terminal.paint(style, mark)} ${clean(run.verdict ?? run.state)}`);
  if (outcome === 'incomplete') {
    const left = run.cases.filter(({ status }) => status === 'skipped').map(({ name }) => name);
    terminal.print(`  Not run: ${clean(left.join(', '))}. A badge needs all cases.`);
  }
  for (const path of paths) terminal.print(`  ${clean(path)}`);
  terminal.printJson(run);
  return outcome === 'failed' ? exitCodes.failed : exitCodes.ok;
}

function reportStopped({ terminal }: Context, id: string): number {
  terminal.note('');
  terminal.note(`Stopped. Continue with the same options and: svc certify --resume ${clean(id)}`);
  return interruptedCode;
}

/** Adds to an error in the middle of a run how to continue the run. */
function withResume(error: unknown, id: string): unknown {
  if (!(error instanceof Failure)) return error;
  const resume = `Continue the run with --resume ${clean(id)}.`;
  const { exitCode, code } = error;
  return new Failure(error.message, {
    exitCode,
    code,
    next: error.next ? `${error.next} ${resume}` : resume,
  });
}

async function openRun(connection: Connection, options: Options): Promise<CertificationOutput> {
  const { resume } = options;
  if (resume !== undefined) {
    const path = `/certifications/${encodeURIComponent(resume)}`;
    const run = await call<CertificationOutput>(connection, 'GET', path, undefined, {
      notFound: new Failure(`There is no run ${clean(resume)}.`, {
        next: 'Start one with "svc certify". The console lists the newest.',
        code: 'not_found',
      }),
    });
    if (run.state === 'running') return run;
    throw new Failure(`The run ${clean(resume)} is ${clean(run.state)}.`, {
      next: 'Start another one with "svc certify".',
      code: 'certification_finished',
    });
  }
  const body: CertificationInput = {
    ...(options.endpoint === undefined ? {} : { endpoint_id: options.endpoint }),
    ...(options.tenantQuery === undefined ? {} : { tenant_query_url: options.tenantQuery }),
    ...(options.variant === undefined ? {} : { product_variant: options.variant }),
    ...(options.tenants === undefined ? {} : { tenants: options.tenants }),
    ...(options.anyway ? { anyway: true } : {}),
  };
  return call<CertificationOutput>(connection, 'POST', '/certifications', body, {
    notFound: new Failure(`${connection.origin} is older than "svc certify".`, {
      next: 'Update the service. Until then, "svc doctor" checks a part of it.',
      code: 'not_found',
    }),
  });
}

async function call<T>(
  connection: Connection,
  method: 'GET' | 'POST',
  path: string,
  body: object | undefined,
  { notFound }: { notFound: Failure },
): Promise<T> {
  try {
    return await connection.client.request<T>(method, path, body ? { body } : {});
  } catch (error) {
    if (isUnknownRoute(error)) throw notFound;
    throw nameOptions(explainCallError(error, connection));
  }
}

/** Names the options of this command instead of the API's fields, and --resume for an unfinished run. */
function nameOptions(error: unknown): unknown {
  if (!(error instanceof Failure)) return error;
  const message = error.message
    .replaceAll('endpoint_id', '--endpoint')
    .replaceAll('tenant_query_url', '--tenant-query')
    .replaceAll('product_variant', '--variant')
    .replace(/\btenants(?=[[.]| must)/, '--tenants')
    .replaceAll('anyway', '--anyway');
  const [id] = /\bcrt_\w+/.exec(error.message) ?? [];
  const next =
    error.code === 'certification_running' && id
      ? `Continue it with --resume ${id}, or wait ten minutes after its last step.`
      : error.next;
  return new Failure(message, { exitCode: error.exitCode, code: error.code, next });
}

async function runServiceCase(
  connection: Connection,
  id: string,
  name: string,
  signal: AbortSignal,
): Promise<CertificationCaseOutput> {
  const began = performance.now();
  for (;;) {
    try {
      return await connection.client.request<CertificationCaseOutput>(
        'POST',
        `/certifications/${id}/cases/${encodeURIComponent(name)}`,
        {},
        { timeoutMs: caseTimeoutMs, maxRetries: 0, signal },
      );
    } catch (error) {
      const isBusy = (error as { code?: string }).code === 'certification_running';
      // The case that an interrupted command has started is still running at the service.
      if (!isBusy || performance.now() - began > busyMs) throw explainCallError(error, connection);
      await new Promise((resolve) => setTimeout(resolve, busyIntervalMs));
    }
  }
}

/** Returns the cases that are left, in the service's order, or those of `--only`, which may run again. */
function namesToRun(run: CertificationOutput, { only, page }: Options): string[] {
  const isPassed = (name: string) =>
    run.cases.some((it) => it.name === name && it.status === 'pass');
  const isAsked = ({ name, status }: CertificationCaseOutput) =>
    only === undefined ? status === 'pending' : only.includes(name);
  const asked = run.cases
    .filter(isAsked)
    .filter(({ area }) => area !== 'page' || page !== undefined)
    .map(({ name }) => String(name));
  const needsHandshake =
    asked.some((name) => run.cases.some((it) => it.name === name && it.area !== 'page')) &&
    !asked.includes('handshake') &&
    !isPassed('handshake');
  return needsHandshake ? ['handshake', ...asked] : asked;
}

interface PageRunner {
  /** Runs a case in the browser, and returns it as the service has stored it. */
  run(runId: string, name: PageCaseName): Promise<CertificationCaseOutput>;
  close(): Promise<void>;
}

function createPageRunner(
  context: Context,
  connection: Connection,
  options: Options,
  browserPath: string | null,
  tenants: readonly string[],
): PageRunner {
  const pageUrl = options.page ?? '';
  const cookies = options.cookie ?? [];
  let isClosed = false;
  let opening: Promise<{ browser: Browser; page: PageRun }> | undefined;
  let checking: ReturnType<typeof checkWithoutBrowser> | undefined;

  async function open(path: string) {
    const { variables } = context.environment;
    const browser = await launchBrowser(path, { variables });
    const where = { pageUrl, cookies, origin: connection.origin };
    const page: PageRun = {
      browser,
      pageUrl,
      serviceOrigin: await findServiceOrigin(browser, where),
      apiKey: connection.apiKey,
      cookies,
      mayReset: (externalId) => tenants.length === 0 || tenants.includes(externalId),
      resetTenant: (externalId) => resetTenant(connection, externalId),
    };
    return { browser, page };
  }

  async function resultOf(name: PageCaseName): Promise<PageResult> {
    if (browserPath === null) {
      checking ??= checkWithoutBrowser(connection, pageUrl);
      return (await checking)(name);
    }
    return runPageCase(name, await openPage(browserPath));
  }

  async function openPage(path: string): Promise<PageRun> {
    const opened = await opening;
    if (opened?.browser.isRunning) return opened.page;
    // The first case, or the page has crashed its browser.
    await opened?.browser.close();
    opening = open(path);
    return (await opening).page;
  }

  return {
    async run(runId, name) {
      const result = await resultOf(name);
      // Closing the browser ends a case like a mistake of the page, which must not be stored.
      if (isClosed) throw new Failure('The case was interrupted.');
      const { name: caseName, steps, ...finding } = result;
      const body: PageResultsInput = {
        results: [{ case: caseName, steps: [...steps], ...finding }],
      };
      const stored = await connection.run((client) =>
        client.request<CertificationOutput>('PUT', `/certifications/${runId}/page_results`, {
          body,
        }),
      );
      return stored.cases.find((it) => it.name === name) as CertificationCaseOutput;
    },
    async close() {
      isClosed = true;
      const opened = await opening?.catch(() => undefined);
      await opened?.browser.close();
    },
  };
}

async function resetTenant(connection: Connection, externalId: string): Promise<void> {
  try {
    const path = `/simulation/${encodeURIComponent(externalId)}/reset`;
    await connection.client.request('POST', path, {});
  } catch (error) {
    // The page was never opened: portal_info creates the tenant at the first click.
    if ((error as { code?: string }).code !== 'tenant_not_found') {
      throw explainCallError(error, connection);
    }
  }
}

async function requireAnswer({ fetch }: Connection, page: string): Promise<void> {
  try {
    const signal = AbortSignal.timeout(30_000);
    const response = await fetch(page, { redirect: 'manual', signal });
    await response.body?.cancel();
  } catch (error) {
    const code = networkCodeOf(error);
    const { origin } = new URL(page);
    throw new Failure(
      code === 'ECONNREFUSED'
        ? `Nothing listens at ${origin}.`
        : `Cannot open the page ${clean(page)}${code && ` (${code})`}.`,
      { next: 'Start your portal, or correct --page.', code: 'page_unreachable' },
    );
  }
}

function untilAborted(signal: AbortSignal): Promise<'interrupted'> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve('interrupted');
    signal.addEventListener('abort', () => resolve('interrupted'), { once: true });
  });
}

/** A newer service may know more cases, so only a name that is nearly a known one is refused at once. */
function refuseMisspelled(names: readonly string[]): void {
  for (const name of names) {
    const near = caseNames.includes(name) ? undefined : nearestCase(name);
    if (near !== undefined) throw unknownCase(name, near);
  }
}

function refuseUnknown(run: CertificationOutput, names: readonly string[]): void {
  const unknown = names.find((name) => !run.cases.some((it) => it.name === name));
  if (unknown !== undefined) throw unknownCase(unknown, undefined);
}

function unknownCase(name: string, near: string | undefined): Failure {
  return usageFailure(
    `"${clean(name)}" is not a case.${near === undefined ? '' : ` Did you mean ${near}?`}`,
    '"svc certify --help" lists all.',
  );
}

function listOfNames(text: string): string[] {
  const names = text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  if (names.length > 0) return names;
  throw usageFailure('A list is empty.', 'Write names with commas in between.');
}

function addCookie(text: string, before: readonly Cookie[] = []): Cookie[] {
  const at = text.indexOf('=');
  // The value is a secret, so the message does not repeat it.
  if (at < 1) throw usageFailure('A cookie has a name and a value.', 'Example: --cookie session=…');
  return [...before, { name: text.slice(0, at).trim(), value: text.slice(at + 1) }];
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\/\S+$/.test(text) && URL.canParse(text);
}
