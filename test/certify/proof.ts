import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CertificationOutput } from '@svc/contract';
import { SvcClient } from '@svc/node';
import { afterAll, afterEach, beforeAll } from 'vitest';
import {
  freePort,
  type RunningService,
  startBuiltService,
} from '../../examples/test/built-service.ts';
import { runCertify } from '../../examples/test/run-certify.ts';
import {
  type PortalSource,
  type RunningPortal,
  startPortal,
  whatIsMissingFor,
} from './start-portal.ts';

/** A running portal with its own partner, because a partner may begin only 20 certifications an hour. */
export interface CertifiedPortal {
  readonly url: string;
  readonly svc: SvcClient;
  /** Runs `svc certify` with these options, as a developer does. */
  certify(options: readonly string[]): Promise<CertificationOutput['cases']>;
}

/**
 * Starts a service for the tests of a file. Returns the function that starts a portal for one test, and skips the
 * test if the portal cannot run here.
 */
export function usePortals(): (
  source: PortalSource,
  skip: (why: string) => never,
) => Promise<CertifiedPortal> {
  let folder: string;
  let service: RunningService;
  let running: RunningPortal | undefined;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'svc-certify-'));
    service = await startBuiltService(join(folder, 'service'));
  });
  afterEach(async () => {
    await running?.stop();
    running = undefined;
  });
  afterAll(async () => {
    await service?.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  return async (source, skip) => {
    const missing = await whatIsMissingFor(source.portal);
    if (missing !== undefined) skip(missing);
    const port = await freePort();
    const pms = `portal-${port}`;
    const created = await service.operate(['partner', 'create', pms]);
    const apiKey = /API key +(\S+)/.exec(created)?.[1] ?? '';
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    running = await startPortal(source, { service: service.origin, apiKey, pms, secret, port });
    const { url } = running;
    const svc = new SvcClient({ apiKey, baseUrl: `${service.origin}/v1` });
    await svc.webhooks.endpoints.create({ url: `${url}/webhooks`, secret });
    return {
      url,
      svc,
      certify: (options) => runCertify({ origin: service.origin, apiKey, home: folder }, options),
    };
  };
}

/** The cases of these names that did not pass. */
export function problemsOf(cases: CertificationOutput['cases'], names: readonly string[]) {
  return cases
    .filter(({ name, status }) => names.includes(name) && status !== 'pass')
    .map(({ name, status, summary, cause }) => ({ name, status, summary, cause }));
}
