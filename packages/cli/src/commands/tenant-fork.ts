import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ForkChange } from '@svc/contract';
import type { Command } from 'commander';
import { type Action, addCommand, type CommandParts, type Context } from '../command.ts';
import type { Connection } from '../connection.ts';
import { exitCodes, Failure, usageFailure } from '../failure.ts';
import {
  describeChange,
  type ExportFormat,
  exportedNames,
  exporters,
  exportTest,
} from '../fork/export-test.ts';
import { parseDuration } from '../parse-duration.ts';
import { clean, table } from '../terminal.ts';

interface Options {
  at?: string;
  failNextPayment?: string;
  advance?: string;
  underwriting?: string;
  terms?: string;
  deliverWebhooks?: boolean;
  as?: ExportFormat;
  out?: string;
  force?: boolean;
}

/** Completion uses these, too. */
export const underwritingResults = ['WILL_BE_APPROVED', 'WILL_BE_DECLINED'] as const;
export const exportFormats = Object.keys(exporters);

/** Timeout in milliseconds. A fork repeats up to 400 calls. */
const forkTimeoutMs = 120_000;

export function addFork(tenant: Command, parts: CommandParts): void {
  addCommand(tenant, parts, {
    name: 'fork',
    summary: 'copy a tenant at any webhook and change one fact, or export that as a test (sandbox)',
    examples: [
      ['svc tenant fork t-100', 'a copy as the tenant is now'],
      ['svc tenant fork t-100 --at evt_… --fail-next-payment R01', 'as it was after a webhook'],
      ['svc tenant fork t-100 --advance 1mo', 'and a month later; also P30D'],
      ['svc tenant fork t-100 --as vitest --out test', 'as a test with its recording'],
    ],
    define: (command) =>
      command
        .argument('<external id>')
        .option('--at <event>', 'the webhook after which the copy begins; default: the last one')
        .option('--fail-next-payment <code>', 'the next payment fails with this code, such as R01')
        .option('--advance <duration>', 'move the clock on: 30d, 2w, 1mo or P30D', daysOrMonths)
        .option('--underwriting <result>', 'WILL_BE_APPROVED or WILL_BE_DECLINED')
        .option('--terms <version>', 'offer the next plan under this version of the terms')
        .option('--deliver-webhooks', 'send the webhooks about the copy to your endpoints')
        .option('--as <runner>', 'write a test for vitest or pytest', exportFormat)
        .option('--out <folder>', 'the folder of the test; default: this one')
        .option('--force', 'overwrite the files of an earlier export'),
    action: fork,
  });
}

const fork: Action<Options> = async (context, options, id = '') => {
  const { environment, terminal } = context;
  const change = changeOf(options);
  refuseUnusedOptions(options);
  const folder = resolve(environment.folder, options.out ?? '.');
  if (options.as && !options.force) requireNoFiles(folder, exportedNames(options.as, id));
  const connection = context.connect();
  const body = {
    ...(options.at === undefined ? {} : { at: options.at }),
    ...(change === null ? {} : { change }),
    ...(options.deliverWebhooks ? { deliver_webhooks: true } : {}),
  };
  const copy = await terminal
    .busy(
      `Copying ${clean(id)}`,
      connection.run((client) => client.simulation.fork(id, body, { timeoutMs: forkTimeoutMs })),
    )
    .catch((error) => explainRefusal(error, connection, id));
  const comparison = comparisonUrl(connection.origin, id, copy.external_id);
  const { at, reproduced_events: events, simulation } = copy;
  const where = at === null ? '' : ` as it was after ${clean(at)}`;
  terminal.print(
    `${terminal.paint('green', '✓')} ${clean(copy.external_id)} is a copy of ${clean(id)}${where}`,
  );
  const rows = [
    ['reproduced', `${events} ${events === 1 ? 'webhook' : 'webhooks'}`],
    ...(change === null ? [] : [['change', clean(describeChange(change))]]),
    ['clock', simulation.simulated_time ?? 'real time'],
    ['webhooks', options.deliverWebhooks ? 'sent to your endpoints' : 'stored, and sent nowhere'],
    ['compare', `${comparison}  (in the console, with an admin link)`],
  ];
  for (const line of table(rows)) terminal.print(`  ${line}`);
  const files = options.as
    ? await exportCase(context, connection, { id, copyId: copy.external_id, change, options })
    : [];
  terminal.printJson({ ...copy, comparison_url: comparison, files });
  return exitCodes.ok;
};

interface ExportInput {
  readonly id: string;
  readonly copyId: string;
  readonly change: ForkChange | null;
  readonly options: Options;
}

/** Writes the test, which asserts how the copy ended. Returns the paths. */
async function exportCase(
  { environment, terminal }: Context,
  connection: Connection,
  { id, copyId, change, options: { as: format = 'vitest', at, out = '.', force } }: ExportInput,
): Promise<string[]> {
  const [recording, end] = await connection.run((client) =>
    Promise.all([
      client.simulation.recording(id, at === undefined ? {} : { at }),
      client.simulation.history(copyId),
    ]),
  );
  const files = exportTest(format, { recording, change, end });
  const folder = resolve(environment.folder, out);
  try {
    mkdirSync(folder, { recursive: true });
    for (const { name, content } of files) {
      writeFileSync(join(folder, name), content, { flag: force ? 'w' : 'wx' });
    }
  } catch (error) {
    throw new Failure(`Cannot write the test to ${folder}: ${(error as Error).message}`, {
      next: 'Pass another folder with --out.',
    });
  }
  const paths = files.map(({ name }) => join(out, name));
  for (const path of paths) terminal.print(`  created     ${clean(path)}`);
  terminal.print();
  terminal.print(`Run it: ${exporters[format].command} ${clean(paths[0] ?? '')}`);
  terminal.print(`It needs @svc/sandbox: ${connection.origin}/docs/ci`);
  return paths;
}

function changeOf(options: Options): ForkChange | null {
  const { failNextPayment, advance, underwriting, terms } = options;
  const changes = [
    failNextPayment === undefined ? null : { fail_next_payment: failNextPayment },
    advance === undefined ? null : { advance_clock: advance },
    underwriting === undefined ? null : { underwriting_result: underwriting },
    terms === undefined ? null : { terms_version: terms },
  ].filter((change) => change !== null);
  if (changes.length > 1) {
    throw usageFailure(
      'A copy changes one fact.',
      'Pass one of --fail-next-payment, --advance, --underwriting and --terms. Fork the copy for another change.',
    );
  }
  // The service refuses a code that it does not know, and lists those that it does.
  return (changes[0] as ForkChange | undefined) ?? null;
}

function refuseUnusedOptions({ as, out, force, terms, deliverWebhooks }: Options): void {
  if (as === undefined && (out !== undefined || force)) {
    throw usageFailure('--out and --force are for an export.', 'Add --as vitest or --as pytest.');
  }
  if (as !== undefined && deliverWebhooks) {
    throw usageFailure('A test’s sandbox has its own endpoints.', 'Leave out --deliver-webhooks.');
  }
  if (as !== undefined && terms !== undefined) {
    throw usageFailure(
      'The sandbox of a test does not have the terms of this service.',
      'Fork with --terms, and without --as.',
    );
  }
}

function requireNoFiles(folder: string, names: readonly string[]): void {
  const taken = names.filter((name) => existsSync(join(folder, name)));
  if (taken.length === 0) return;
  throw new Failure(`There already is ${taken.join(', ')}.`, {
    next: 'Nothing was copied. Pass --force to overwrite, or another folder with --out.',
  });
}

/** Explains a refused copy, whose message has the first difference. The copy is kept, so that it can be compared. */
function explainRefusal(error: unknown, { origin }: Connection, id: string): never {
  if (!(error instanceof Failure)) throw error;
  const message = error.message
    .replaceAll('change.fail_next_payment', '--fail-next-payment')
    .replaceAll('change.advance_clock', '--advance')
    .replaceAll('change.underwriting_result', '--underwriting')
    .replaceAll('change.terms_version', '--terms');
  const { code, exitCode } = error;
  const [, copyId] = /^The copy (.+?) is not like /.exec(message) ?? [];
  const next =
    code === 'not_reproducible' && copyId !== undefined
      ? `Compare both in the console, with an admin link: ${comparisonUrl(origin, id, copyId)}`
      : error.next;
  throw new Failure(message, { next, exitCode, code });
}

function comparisonUrl(origin: string, tenant: string, copy: string): string {
  const search = `tenant=${encodeURIComponent(tenant)}&copy=${encodeURIComponent(copy)}`;
  return `${origin}/portal/time-machine?${search}`;
}

function daysOrMonths(text: string): string {
  const duration = parseDuration(text);
  if (duration !== null && /^P(\d{1,3}[DW]|\d{1,2}M)$/.test(duration)) return duration;
  throw usageFailure(`"${text}" is not a duration.`, 'Use 30d, 2w, 1mo or P30D.');
}

function exportFormat(text: string): ExportFormat {
  if (Object.hasOwn(exporters, text)) return text as ExportFormat;
  throw usageFailure(`"${text}" is not a test runner.`, 'Use --as vitest or --as pytest.');
}
