import type { PageCaseName } from '@svc/contract';
import type { Browser } from '../browser/launch-browser.ts';

/** The parts of the command that a page case uses. */
export interface PageRun {
  readonly browser: Browser;
  readonly pageUrl: string;
  /** The service as the page reaches it. */
  readonly serviceOrigin: string;
  readonly apiKey: string;
  readonly cookies: readonly { readonly name: string; readonly value: string }[];
  mayReset(externalId: string): boolean;
  /** Takes the page's tenant back to a day before any plan. */
  resetTenant(externalId: string): Promise<void>;
}

export interface PageStep {
  readonly title: string;
  readonly detail: string | null;
  readonly duration_in_ms: number | null;
}

/** The result of a case, in the partner's words. */
export interface Finding {
  readonly status: 'pass' | 'warn' | 'fail' | 'skipped';
  readonly summary: string;
  /** The likely mistake. */
  readonly cause?: string;
  readonly fix?: string;
  /** A path of the documentation, such as `/docs/csp`. */
  readonly docs?: string;
}

export interface PageResult extends Finding {
  readonly name: PageCaseName;
  readonly steps: readonly PageStep[];
  readonly duration_in_ms: number;
}

/** Collects the steps of a case, with the time that each took. */
export interface Notes {
  readonly steps: PageStep[];
  /** Notes what was done since the last note. */
  add(title: string, detail?: string | null): void;
}

export type PageCase = (run: PageRun, notes: Notes) => Promise<Finding>;

const mostSteps = 50;

export function takeNotes(): Notes {
  const steps: PageStep[] = [];
  let last = performance.now();
  return {
    steps,
    add(title, detail = null) {
      const now = performance.now();
      if (steps.length < mostSteps) {
        steps.push({
          title: title.slice(0, 300),
          detail: detail?.slice(0, 2_000) ?? null,
          duration_in_ms: Math.round(now - last),
        });
      }
      last = now;
    },
  };
}

export const pass = (summary: string): Finding => ({ status: 'pass', summary });
export const skip = (summary: string): Finding => ({ status: 'skipped', summary });

interface Problem {
  summary: string;
  cause: string;
  fix: string;
  docs: string;
}
export const fail = (problem: Problem): Finding => ({ status: 'fail', ...problem });
export const warn = (problem: Problem): Finding => ({ status: 'warn', ...problem });
