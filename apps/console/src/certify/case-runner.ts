import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import {
  type Certification,
  type CertificationCase,
  certificationQuery,
  runCertificationCase,
} from '../api/certifications.ts';
import { endpointQuery } from '../api/endpoints.ts';
import { isEndpointOf } from './describe-certification.ts';
import { type Ending, runCases } from './run-cases.ts';

/** This tab's progress through the cases of one run. */
export interface CaseRunner {
  readonly id: string;
  /** The case that is running. Null if none is. */
  readonly current: string | null;
  readonly isStopping: boolean;
  /** The reason why no more cases run. Null while they run, or after a failure. */
  readonly ending: Ending | null;
  /** The case that could not be run, and its error. */
  readonly failure: { readonly name: string; readonly error: Error } | null;
}

/** Cases keep running while other pages of the console are open, so this state lives outside of the pages. */
let runner: CaseRunner | null = null;
const listeners = new Set<() => void>();

export function useCaseRunner(id: string): CaseRunner | null {
  return useSyncExternalStore(subscribe, () => (runner?.id === id ? runner : null));
}

/** Runs these cases one after another, until all have run or `stopCases` is called. */
export async function startCases(
  client: QueryClient,
  run: Certification,
  names: readonly string[],
): Promise<void> {
  if (runner?.current) return;
  const { id } = run;
  const query = certificationQuery(id);
  update({ id, current: names[0] ?? null, isStopping: false, ending: null, failure: null });
  try {
    const ending = await runCases(names, {
      runCase: (name) => runCertificationCase(id, name),
      readRun: () => client.fetchQuery({ ...query, staleTime: 0 }),
      isEndpointReady: () => isEndpointReady(client, run),
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      onCase: (current) => update({ current }),
      onResult(result) {
        // A read that is in flight would overwrite this result with an older state.
        void client.cancelQueries(query);
        client.setQueryData(query.queryKey, (before) => before && withResult(before, result));
      },
      isStopped: () => runner?.isStopping === true,
    });
    update({ current: null, isStopping: false, ending });
  } catch (error) {
    const name = runner?.current ?? '';
    const failure = { name, error: error as Error };
    update({ current: null, isStopping: false, failure });
  }
  // Also ends the session of a page that the service no longer knows.
  void client.invalidateQueries({ queryKey: ['certifications'] });
}

/** Stops after the case that is running. */
export function stopCases(): void {
  update({ isStopping: true });
}

function withResult(run: Certification, result: CertificationCase): Certification {
  const cases = run.cases.map((it) => (it.name === result.name ? result : it));
  return { ...run, cases, last_step_at: result.ran_at ?? run.last_step_at };
}

async function isEndpointReady(client: QueryClient, run: Certification): Promise<boolean> {
  const { endpoint_id } = run;
  const endpoint = await client
    .fetchQuery({ ...endpointQuery(endpoint_id), staleTime: 0 })
    .catch(() => undefined);
  return endpoint !== undefined && isEndpointOf(run, endpoint);
}

function update(part: Partial<CaseRunner>): void {
  runner = { ...(runner as CaseRunner), ...part };
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
