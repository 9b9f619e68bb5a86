import type { PageCaseName } from '@svc/contract';
import type { Connection } from '../../connection.ts';
import { type Finding, fail, type PageResult, pass, skip, warn } from './page-case.ts';

/** A check of `POST /partner/doctor`. */
interface Check {
  readonly id: string;
  readonly status: 'pass' | 'warn' | 'fail' | 'skipped';
  readonly detail?: string | null;
  readonly fix?: string | null;
  readonly docs_url?: string | null;
}

const noBrowser = skip(
  'No Chrome, Chromium or Edge was found on this machine: install one, or pass --browser.',
);

/** The doctor's checks that are about a case. The doctor reads the page, and runs no scripts. */
const checksOf: Partial<Record<PageCaseName, readonly string[]>> = {
  csp: ['csp', 'frame_headers'],
};

/** Lets the service's doctor read the page. Returns a function that turns its checks into a case's result. */
export async function checkWithoutBrowser(
  { run }: Connection,
  pageUrl: string,
): Promise<(name: PageCaseName) => PageResult> {
  const { checks } = await run((client) =>
    client.request<{ checks: Check[] }>(
      'POST',
      '/partner/doctor',
      { body: { page_url: pageUrl } },
      { timeoutMs: 90_000, maxRetries: 0 },
    ),
  );
  return (name) => {
    const about = checks.filter(({ id }) => checksOf[name]?.includes(id));
    const worst =
      about.find((it) => it.status === 'fail') ?? about.find((it) => it.status === 'warn');
    const steps = about.map(({ detail }) => ({
      title: 'The doctor read the page',
      detail: detail ?? null,
      duration_in_ms: null,
    }));
    return { name, ...findingOf(worst ?? about[0]), steps, duration_in_ms: 0 };
  };
}

function findingOf(check: Check | undefined): Finding {
  if (!check || check.status === 'skipped') return noBrowser;
  const summary = check.detail ?? 'The doctor has read the page.';
  if (check.status === 'pass') return pass(`${summary} (Read without a browser.)`);
  const problem = {
    summary,
    cause: 'The page’s headers keep the experience out. This was read without a browser.',
    fix: check.fix ?? 'See the docs.',
    docs: '/docs/csp',
  };
  return check.status === 'fail' ? fail(problem) : warn(problem);
}
