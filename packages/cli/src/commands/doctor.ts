import type { Command } from 'commander';
import { type Action, addCommand, type CommandParts, type Context } from '../command.ts';
import { type Connection, isUnknownRoute } from '../connection.ts';
import { exitCodes, explainCallError, Failure, usageFailure } from '../failure.ts';
import { readJsonOption } from '../read-json-option.ts';
import { speakCommands } from '../speak-commands.ts';
import { clean, cleanLines } from '../terminal.ts';

interface Options {
  tenant?: string;
  diagnosis?: string;
}

/** A result of `POST /partner/doctor`, and of the checks on this machine. */
interface Check {
  id: string;
  status: 'pass' | 'warn' | 'fail' | 'skipped';
  title: string;
  detail?: string | null;
  fix?: string | null;
  docs_url?: string | null;
}

// Signatures tolerate five minutes.
const mostSkewSeconds = 300;

export function addDoctor(program: Command, parts: CommandParts): void {
  addCommand(program, parts, {
    name: 'doctor',
    summary: 'check key, clock, webhooks and, with an address, the page with your widget',
    examples: [
      ['svc doctor', 'without a page'],
      ['svc doctor https://portal.example/rent --tenant t-100', 'also a page, as this tenant'],
      ['svc doctor --diagnosis @diagnosis.json', 'also the widget as a browser shows it'],
    ],
    define: (command) =>
      command
        .argument('[page url]')
        .option('--tenant <external id>', 'check signature, charges and dates of this tenant')
        .option('--diagnosis <json>', 'the result of svc.diagnose(), as JSON or as @file'),
    action: doctor,
  });
}

const doctor: Action<Options> = async (context, { tenant, diagnosis }, page) => {
  const { environment, terminal } = context;
  if (page !== undefined && !/^https?:\/\/\S+$/.test(page)) {
    throw usageFailure(
      `"${clean(page)}" is not the address of a page.`,
      'Pass a URL with http(s).',
    );
  }
  const connection = context.connect();
  const local = await checkHere(context, connection);
  const body = {
    ...(page === undefined ? {} : { page_url: page }),
    ...(tenant === undefined ? {} : { external_id: tenant }),
    ...(diagnosis === undefined
      ? {}
      : { diagnosis: readJsonOption('--diagnosis', diagnosis, environment.folder, '@file') }),
  };
  const remote = await terminal.busy('Checking', checkAtService(connection, body));
  const checks = [...local, ...remote];
  for (const check of checks) printCheck(context, check);
  const count = (status: Check['status']) => checks.filter((it) => it.status === status).length;
  const failed = count('fail');
  const counts = [
    [count('pass'), 'passed'],
    [failed, 'failed'],
    [count('warn'), 'with a warning'],
    [count('skipped'), 'skipped'],
  ] as const;
  const shown = counts.filter(([number], index) => index < 2 || number > 0);
  terminal.print();
  terminal.print(`${shown.map(([number, word]) => `${number} ${word}`).join(', ')}.`);
  if (count('skipped') > 0 && (page ?? tenant ?? diagnosis) === undefined) {
    terminal.print('To check more: svc doctor <page url> --tenant <external id>');
  }
  terminal.printJson({ ok: failed === 0, checks });
  return failed > 0 ? exitCodes.failed : exitCodes.ok;
};

/** The checks that only this machine can make. */
async function checkHere(context: Context, connection: Connection): Promise<Check[]> {
  const identity = await context.identity(connection);
  return [
    {
      id: 'cli.key',
      status: 'pass',
      title: `The API key from ${connection.keySource} works at ${connection.origin}`,
      detail: identity.pms === null ? null : `${identity.pms}, ${identity.environment}`,
    },
    await checkClock(connection),
  ];
}

async function checkClock({ origin, fetch }: Connection): Promise<Check> {
  const title = 'This machine’s clock';
  const sent = Date.now();
  const response = await fetch(`${origin}/livez`, { redirect: 'manual' }).catch(() => null);
  const received = Date.now();
  const date = Date.parse(response?.headers.get('date') ?? '');
  if (Number.isNaN(date)) {
    return { id: 'cli.clock', status: 'skipped', title, detail: 'The service sent no date.' };
  }
  // The header is cut off to whole seconds, so the true time is half a second later on average.
  const skew = Math.round((date + 500 - (sent + received) / 2) / 1000);
  const detail = `${Math.abs(skew)} s ${skew > 0 ? 'behind' : 'ahead of'} the service`;
  if (Math.abs(skew) <= mostSkewSeconds / 10) {
    return { id: 'cli.clock', status: 'pass', title, detail };
  }
  return {
    id: 'cli.clock',
    status: Math.abs(skew) > mostSkewSeconds ? 'fail' : 'warn',
    title,
    detail,
    fix: 'Set it by NTP: signatures that are more than five minutes off are refused.',
  };
}

async function checkAtService(connection: Connection, body: object): Promise<Check[]> {
  try {
    const { checks } = await connection.client.request<{ checks: Check[] }>(
      'POST',
      '/partner/doctor',
      { body },
      { timeoutMs: 90_000, maxRetries: 0 },
    );
    return checks;
  } catch (error) {
    if (!isUnknownRoute(error)) throw explainCallError(error, connection);
    throw new Failure(`${connection.origin} is older than its doctor.`, {
      next: 'Update the service. Key and clock of this machine are fine.',
      code: 'not_found',
    });
  }
}

const statusMarks = {
  pass: ['green', '✓'],
  warn: ['yellow', '!'],
  fail: ['red', '✗'],
  skipped: ['dim', '-'],
} as const;

function printCheck({ terminal }: Context, check: Check): void {
  const [style, mark] = statusMarks[check.status] ?? statusMarks.skipped;
  terminal.print(`${terminal.paint(style, mark)} ${clean(check.title)}`);
  if (check.detail) terminal.print(indent(cleanLines(check.detail)));
  if (check.status === 'pass' || check.status === 'skipped') return;
  if (check.fix) terminal.print(indent(`Fix: ${cleanLines(speakCommands(check.fix))}`));
  if (check.docs_url) terminal.print(indent(clean(check.docs_url)));
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}
