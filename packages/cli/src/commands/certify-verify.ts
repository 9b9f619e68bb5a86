import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { CertificationKeysOutput } from '@svc/contract';
import type { Command } from 'commander';
import { parseReport, verifyReport } from '../certify/report/verify-report.ts';
import { type Action, addCommand, type CommandParts } from '../command.ts';
import { exitCodes, Failure } from '../failure.ts';
import { clean } from '../terminal.ts';

export function addVerify(certify: Command, parts: CommandParts): void {
  addCommand(certify, parts, {
    name: 'verify',
    summary: 'check that the service has signed a report, and that it was not changed',
    examples: [['svc certify verify certify.json', 'needs no API key']],
    define: (command) => command.argument('<file>', 'the certify.json of a run'),
    action: verify,
  });
}

const verify: Action<object> = async (context, _options, file = '') => {
  const { environment, terminal } = context;
  const report = parseReport(readReport(resolve(environment.folder, file), file), file);
  const { origin, fetch } = context.service();
  const verified = verifyReport(report, await readKeys(origin, fetch));
  if (!verified.ok) {
    throw new Failure(verified.reason, {
      next: `The keys are those of ${origin}. For a report of another service, pass --url.`,
      code: 'report_invalid',
    });
  }
  const { payload, changed } = verified;
  if (changed.length > 0) {
    throw new Failure(`The file was changed after it was signed: ${clean(changed.join(', '))}.`, {
      next: `What was signed: ${clean(payload.verdict)}`,
      code: 'report_changed',
    });
  }
  const day = clean(payload.finished_at.slice(0, 10));
  terminal.print(
    `${terminal.paint('green', '✓')} ${origin} has signed this report, and it was not changed.`,
  );
  terminal.print(`  ${clean(payload.pms)}, ${clean(payload.endpoint_url)}`);
  terminal.print(`  ${day}, service ${clean(payload.service_version)}, run ${clean(payload.id)}`);
  terminal.print(`  ${clean(payload.verdict)}`);
  terminal.printJson({ ok: true, ...payload });
  return exitCodes.ok;
};

function readReport(path: string, given: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Failure(`Cannot read ${clean(given)}: ${code}.`, {
      next: 'Pass the certify.json of "svc certify --out".',
      exitCode: exitCodes.usage,
      code: 'usage',
    });
  }
}

async function readKeys(origin: string, fetchIt: typeof fetch): Promise<CertificationKeysOutput> {
  let response: Response;
  try {
    response = await fetchIt(`${origin}/v1/certifications/public_key`, { redirect: 'error' });
  } catch {
    throw new Failure(`Cannot reach ${origin} for its public keys.`, {
      next: 'Pass the service that has signed the report with --url.',
      exitCode: exitCodes.unreachable,
      code: 'connection_failed',
    });
  }
  const body = await response.json().catch(() => null);
  if (response.ok && Array.isArray(body?.data?.keys)) return body.data;
  throw new Failure(`${origin} has no keys for reports.`, {
    next: 'It may be older than "svc certify". Pass the service that has signed with --url.',
    code: 'not_found',
  });
}
