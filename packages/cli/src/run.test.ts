import { execFile } from 'node:child_process';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { envelope, listenLocally, openCli, type Received, refusal } from './testing/open-cli.ts';

const key = 'svc_sandbox_abc';
const cli = await openCli();
let service: Awaited<ReturnType<typeof listenLocally>>;
/** An origin on which nothing listens: its server was closed again. */
let nowhere: string;

const eventTypes = [
  {
    name: 'plan.created',
    group: 'Plan',
    description: 'A plan.',
    schema: {},
    example: { plan_id: 'p' },
  },
  {
    name: 'settlement.created',
    group: 'Settlement',
    description: 'Money.',
    schema: {},
    example: {},
  },
];

function answer({ method, path, headers }: Received) {
  const name = path.replace(/^\/v1/, '').replace(/\?.*/, '');
  if (headers.authorization !== `Bearer ${key}`) {
    return headers.authorization === 'Bearer svc_production_abc'
      ? refusal(401, 'wrong_environment', 'The API key belongs to the other environment.')
      : refusal(401, 'invalid_credentials', 'The credentials are wrong.');
  }
  switch (`${method} ${name}`) {
    case 'GET /partner':
      return envelope({ pms: 'maple', environment: 'sandbox' });
    case 'GET /webhooks/event_types':
      return envelope({ items: eventTypes, next_cursor: null });
    case 'GET /tenants/broken':
      return refusal(500, 'internal_error', 'Something failed on our side; nothing was changed.');
    case 'GET /tenants/t\u001b[2J':
      return refusal(404, 'tenant_not_found', 'No tenant with this external id is known.');
    case 'POST /simulation/t-1/scenario':
      return {
        status: 422,
        body: {
          error: {
            code: 'validation_failed',
            message: 'Some fields are wrong.',
            errors: [
              { param: 'scenario', code: 'invalid', message: 'must be one of applied, split' },
            ],
          },
          data: null,
        },
      };
    case 'GET /partner/requests':
    case 'POST /partner/doctor':
      return refusal(404, 'not_found', 'There is nothing at this address.');
    default:
      return name.startsWith('/tenants/') || name.startsWith('/simulation/')
        ? refusal(404, 'tenant_not_found', 'No tenant with this external id is known.')
        : refusal(404, 'message_not_found', 'No message with this id.');
  }
}

beforeAll(async () => {
  service = await listenLocally(answer);
  const closed = await listenLocally(() => ({ status: 204 }));
  nowhere = closed.origin;
  await closed.close();
});
afterAll(async () => {
  await service.close();
  await cli.close();
});

const withKey = (url = service.origin) => ({ SVC_API_KEY: key, SVC_URL: url });

describe('wrong input', () => {
  const website = () => listenLocally(() => ({ status: 200, body: '<h1>Hello</h1>' }));

  /** Arguments, exit code, and what the one or two lines must contain. */
  test.each<[string, number, string[]]>([
    ['lsten', 2, ["Unknown command 'lsten'. Did you mean listen?", 'svc --help']],
    ['tenant', 2, ['A command is missing.', '"svc tenant --help"']],
    ['tenant shw t-1', 2, ['Did you mean show?', '"svc tenant --help"']],
    ['tenant show', 2, ["Missing required argument 'external id'"]],
    ['tenant show t-1 t-2', 2, ['Too many arguments']],
    ['listen --forwardto 3000', 2, ["Unknown option '--forwardto'. Did you mean --forward-to?"]],
    ['listen', 2, ['An address to forward to is missing.', '--forward-to http']],
    ['listen --forward-to ftp://x', 2, ['"ftp://x" is not an address to forward to.']],
    ['listen --forward-to 99999/x', 2, ['is not an address to forward to.']],
    ['listen --forward-to 3000 --timeout soon', 2, ['"soon" is not a number of seconds.']],
    ['listen --forward-to 3000 --events plan.craeted', 2, ['matches no event type', 'plan.*']],
    ['listen --forward-to 3000 --since yesterday', 2, ['neither an event id nor a time', '10m']],
    ['listen --forward-to 3000 --header nonsense', 2, ['is not a header.']],
    ['trigger', 2, ['An event type is missing.', 'trigger --list']],
    ['trigger plan.craeted', 2, ['is not an event type.', 'Did you mean plan.created?']],
    ['trigger plan.created --data {', 2, ['--data is not JSON']],
    ['trigger plan.created --data []', 2, ['--data is not a JSON object.']],
    ['trigger plan.created --data @none.json', 2, ['Cannot read none.json']],
    ['trigger plan.created --set a.b=1', 2, ['The data has no field "a.b".']],
    ['scenario wrong t-1', 1, ['scenario must be one of applied, split']],
    ['scenario split t-1 --variant HOA', 2, ['Use --variant rent or --variant hoa.']],
    ['scenario split t-1 --parts two', 2, ['"two" is not a number of payments.']],
    ['scenario split t-1 --method cash', 2, ['Use --method bank or --method card.']],
    ['tenant show nobody', 1, ['No tenant with this external id is known.', 'svc scenario']],
    ['tenant show broken', 1, ['Something failed on our side', 'req_1']],
    ['tenant show t\u001b[2J', 1, ['No tenant with this external id is known.']],
    ['tenant advance t-1 2026-02-30', 2, ['"2026-02-30" is neither a duration nor a day']],
    ['tenant advance t-1 tomorrow', 2, ['Use 12h, 10d, 2w, 1mo']],
    ['tenant fork t-1 --as jest', 2, ['"jest" is not a test runner.', '--as pytest']],
    ['tenant fork t-1 --advance soon', 2, ['"soon" is not a duration.', 'P30D']],
    ['tenant fork t-1 --advance 2h', 2, ['"2h" is not a duration.']],
    ['tenant fork t-1 --advance 1mo --terms x', 2, ['A copy changes one fact.', 'Fork the copy']],
    ['tenant fork t-1 --out test', 2, ['--out and --force are for an export.']],
    ['tenant fork t-1 --as vitest --terms x', 2, ['does not have the terms']],
    ['tenant fork t-1', 1, ['No tenant with this external id is known.']],
    ['events tail --last many', 2, ['"many" is not a number from 1 to 1000.']],
    ['events tail --since evt_none', 1, ['No message with this id.']],
    ['events replay evt_none', 2, ['There is no address to send it to.', '--endpoint']],
    ['events replay evt_none --forward-to 3000', 1, ['No message with this id.']],
    ['logs tail --status bad', 2, ['"bad" is not a status.']],
    ['logs tail', 1, ['There is nothing at this address.', 'may be older']],
    ['doctor portal.example', 2, ['is not the address of a page.']],
    ['doctor', 1, ['is older than its doctor.']],
    ['doctor --diagnosis [1]', 2, ['--diagnosis is not a JSON object.', '--diagnosis @file']],
    ['doctor --diagnosis @none.json', 2, ['Cannot read none.json']],
    ['init', 1, ['There is no package.json', 'Next.js, Vite or Express']],
    ['completion tcsh', 2, ['Use bash, zsh or fish.']],
    ['profile use none', 2, ['There is no profile "none".']],
    ['logout', 2, ['There is no profile "default".']],
    ['--url not\u0020an\u0020address tenant show t-1', 2, ['is not an address of a service.']],
    ['scenario splitt', 2, ['"splitt" is not a scenario. Did you mean split?', '--help']],
    ['scenario past-due', 2, ['Did you mean past_due?']],
  ])('svc %s', async (line, code, expected) => {
    const args = line.startsWith('--url')
      ? ['--url', 'not an address', 'tenant', 'show', 't-1']
      : line.split(' ');
    const ran = await cli.run(args, '', withKey());
    expectFailure(ran, code, expected);
  });

  test.each<[string, Record<string, string>, number, string[]]>([
    ['without a key', { SVC_URL: 'localhost:1' }, 4, ['There is no API key', 'svc login']],
    ['with a profile that does not exist', { SVC_PROFILE: 'live' }, 4, ['There is no API key']],
    ['with a secret as key', { SVC_API_KEY: 'whsec_abc' }, 4, ['signing secret']],
    ['with another protocol', { SVC_URL: 'ftp://x' }, 2, ['"ftp://x" is not an address']],
    ['with half a key', { SVC_API_KEY: 'abc' }, 4, ['keys begin with svc_sandbox_']],
    ['with a wrong key', { SVC_API_KEY: 'svc_sandbox_no' }, 4, ['wrong or revoked', 'SVC_API_KEY']],
    ['with a key of production', { SVC_API_KEY: 'svc_production_abc' }, 4, ['other environment']],
    ['with a host without address', { ...withKeyAt('http://svc.invalid') }, 3, ['has no address']],
  ])('%s', async (_, variables, code, expected) => {
    const ran = await cli.run(['tenant', 'show', 't-1'], '', {
      SVC_URL: service.origin,
      ...variables,
    });
    expectFailure(ran, code, expected);
  });

  test('without a service, every command says that nothing listens there', async () => {
    const lines = [
      'login',
      'listen --forward-to 3000',
      'trigger plan.created',
      'scenario split',
      'doctor',
      'certify',
      'events tail',
      'events replay evt_1 --forward-to 3000',
      'logs tail',
      'tenant show t-1',
      'tenant advance t-1 1mo',
      'tenant reset t-1',
    ];
    const all = lines.map((line) => cli.run(line.split(' '), '', withKey(nowhere)));
    for (const ran of await Promise.all(all)) {
      expectFailure(ran, 3, [`Nothing listens at ${nowhere}.`, 'Start the service']);
    }
  });

  test('an address that is another website', async () => {
    const other = await website();
    const ran = await cli.run(['tenant', 'show', 't-1'], '', withKey(other.origin));
    expectFailure(ran, 3, ['is not an Svc service: it answered 200.', '--url']);
    await other.close();
  });

  test('with --json the error is an object', async () => {
    const ran = await cli.run(['tenant', 'show', 'nobody', '--json'], '', withKey());
    expect(ran).toMatchObject({ code: 1, output: '' });
    expect(JSON.parse(ran.errors)).toMatchObject({
      error: { code: 'tenant_not_found', message: 'No tenant with this external id is known.' },
    });
  });
});

function withKeyAt(url: string) {
  return { SVC_API_KEY: key, SVC_URL: url };
}

function expectFailure(
  { code, output, errors }: { code: number; output: string; errors: string },
  expected: number,
  texts: string[],
): void {
  for (const text of texts) expect(errors).toContain(text);
  expect({ code, output }).toEqual({ code: expected, output: '' });
  // On a busy machine a command may say what takes so long, as in "Connecting …".
  const lines = errors
    .trimEnd()
    .split('\n')
    .filter((line) => !line.endsWith(' …'));
  expect(lines.length).toBeLessThanOrEqual(2);
  expect(lines[0]).toMatch(/^svc: .+[.?]$/);
  expect(errors).not.toMatch(/\n\s+at /);
}

describe('login', () => {
  test('checks the key, and stores it where only the user can read it', async () => {
    const own = await openCli();
    const ran = await own.run(['login', '--url', service.origin], `${key}\n`);
    expect(ran.code).toBe(0);
    expect(ran.output).toContain(`Logged in at ${service.origin} as maple (sandbox).`);
    expect(ran.output).not.toContain(key);
    const file = join(own.home, '.config/svc/config.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(join(own.home, '.config/svc'))).mode & 0o777).toBe(0o700);
    const shown = await own.run(['tenant', 'show', 'nobody']);
    expect(shown.errors).toContain('No tenant with this external id');
    await own.close();
  });

  test('stores nothing when the service refuses the key', async () => {
    const own = await openCli();
    const ran = await own.run(['login', '--url', service.origin], 'svc_sandbox_wrong');
    expect(ran.code).toBe(4);
    expect((await own.run(['profile', 'list'])).output).toContain('There is no profile yet');
    await own.close();
  });

  test('keeps several profiles; --profile and the environment win over the current one', async () => {
    const own = await openCli();
    const other = await listenLocally(answer);
    await own.run(['login', '--url', service.origin], key);
    await own.run(['login', '--url', other.origin, '--profile', 'other'], key);
    const list = async () => (await own.run(['profile', 'list'])).output;
    expect(await list()).toMatch(/^\* {2}default .*\n {3}other /);
    await own.run(['tenant', 'show', 'x', '--profile', 'other']);
    await own.run(['tenant', 'show', 'y'], '', { SVC_PROFILE: 'other' });
    expect(other.received.map(({ path }) => path)).toEqual([
      '/v1/partner',
      '/v1/tenants/x',
      '/v1/tenants/y',
    ]);
    await own.run(['profile', 'use', 'other']);
    expect(await list()).toMatch(/\* {2}other /);
    await own.run(['logout']);
    expect(await list()).toMatch(/^\* {2}default .*\n$/);
    await own.close();
    await other.close();
  });

  test('a stored key is not sent to another address', async () => {
    const own = await openCli();
    const other = await listenLocally(answer);
    await own.run(['login', '--url', service.origin], key);
    const ran = await own.run(['tenant', 'show', 't-1', '--url', other.origin]);
    expectFailure(ran, 4, [`is for ${service.origin}, not for ${other.origin}`, 'svc login']);
    expect(other.received).toEqual([]);
    await own.close();
    await other.close();
  });

  test('a broken file and a folder that cannot be written are named', async () => {
    const own = await openCli();
    await mkdir(join(own.home, 'svc'));
    await writeFile(join(own.home, 'svc/config.json'), '{');
    const folder = { SVC_CONFIG_DIR: join(own.home, 'svc') };
    expectFailure(await own.run(['profile', 'list'], '', folder), 1, [
      'is not valid JSON',
      'login',
    ]);
    await writeFile(join(own.home, 'file'), '');
    const blocked = { SVC_CONFIG_DIR: join(own.home, 'file/svc') };
    const ran = await own.run(['login', '--url', service.origin], key, blocked);
    expectFailure(ran, 1, ['SVC_CONFIG_DIR']);
    await own.close();
  });

  test('a user without a home folder needs no profile, and can choose a folder', async () => {
    const own = await openCli({}, { homeless: true });
    expect((await own.run(['trigger', '--list'], '', withKey())).code).toBe(0);
    expectFailure(await own.run(['trigger', '--list']), 4, ['There is no API key', 'SVC_API_KEY']);
    const login = ['login', '--url', service.origin];
    expectFailure(await own.run(login, key), 1, ['no home folder', 'SVC_CONFIG_DIR']);
    const chosen = await own.run(login, key, { SVC_CONFIG_DIR: join(own.home, 'chosen') });
    expect(chosen.output).toContain(join(own.home, 'chosen/config.json'));
    await own.close();
  });
});

describe('help and completion', () => {
  const commands = [
    'login',
    'logout',
    'listen',
    'trigger',
    'scenario',
    'doctor',
    'certify',
    'certify verify',
    'init',
    'completion',
    'profile list',
    'profile use',
    'events tail',
    'events replay',
    'logs tail',
    'tenant show',
    'tenant advance',
    'tenant reset',
    'tenant fork',
  ];
  test.each(commands)('svc %s --help has an example and fits 100 columns', async (line) => {
    const { code, output, errors } = await cli.run([...line.split(' '), '--help']);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(output).toContain(`Usage: svc ${line}`);
    expect(output).toMatch(/Examples:\n {2}\$ (svc|echo|eval)/);
  });

  test('svc alone prints the commands, the variables and the exit codes', async () => {
    const { code, output } = await cli.run([]);
    expect(code).toBe(0);
    for (const text of ['listen', 'SVC_API_KEY', 'Exit codes: 0 done'])
      expect(output).toContain(text);
  });

  test('docs/cli.md names every command', async () => {
    const guide = await readFile(new URL('../../../docs/cli.md', import.meta.url), 'utf8');
    for (const line of commands) expect(guide).toContain(`svc ${line}`);
  });

  test.each([
    [[''], ['login', 'listen', 'completion']],
    [
      ['tenant', ''],
      ['show', 'advance', 'reset', 'fork'],
    ],
    [['listen', '--fo'], ['--forward-to']],
    [
      ['scenario', 'pa'],
      ['past_due', 'paid_off'],
    ],
    [['trigger', 'settlement.'], ['settlement.created']],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [
      ['tenant', 'fork', 't-1', '--as', ''],
      ['vitest', 'pytest'],
    ],
    [
      ['scenario', 'split', '--method', ''],
      ['bank', 'card'],
    ],
  ])('completes %j', async (words, expected) => {
    const { output } = await cli.run(['__complete', '--', ...words], '', withKey());
    expect(output.trim().split('\n')).toEqual(expect.arrayContaining(expected));
    const typed = words.at(-1) ?? '';
    for (const word of output.trim().split('\n')) expect(word.startsWith(typed)).toBe(true);
  });

  test.each(['bash', 'zsh', 'fish'])('the script for %s parses', async (shell) => {
    const { output } = await cli.run(['completion', shell]);
    const file = join(cli.home, `completion.${shell}`);
    await writeFile(file, output);
    const run = promisify(execFile);
    try {
      await run(shell, ['-n', file]);
    } catch (error) {
      // A shell that is not installed cannot check it.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  });
});
