import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { CertificationOutput } from '@svc/contract';
import { chromiumLaunchOptions } from '../../scripts/chromium.mjs';
import { environment } from './built-service.ts';

const cli = fileURLToPath(new URL('../../packages/cli/dist/svc.mjs', import.meta.url));

interface Developer {
  /** Of the service. */
  readonly origin: string;
  readonly apiKey: string;
  /** The home folder, where the command line keeps its settings. */
  readonly home: string;
}

/** Runs `svc certify` with these options, as a developer does. Returns all cases of the run. */
export async function runCertify(
  { origin, apiKey, home }: Developer,
  options: readonly string[],
): Promise<CertificationOutput['cases']> {
  const { executablePath, env } = await chromiumLaunchOptions();
  const args = ['certify', '--browser', executablePath ?? '', '--json', ...options];
  const output = await printedBy([cli, ...args], {
    ...environment(),
    ...env,
    SVC_API_KEY: apiKey,
    SVC_URL: origin,
    HOME: home,
  });
  return (JSON.parse(output) as CertificationOutput).cases;
}

/** A certification that finds something exits with 1, and prints its report all the same. */
function printedBy(args: readonly string[], env: Record<string, string>): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { env, maxBuffer: 2 ** 26 }, (error, output, errors) => {
      if (output !== '') resolve(output);
      else reject(new Error(errors, { cause: error }));
    });
  });
}
