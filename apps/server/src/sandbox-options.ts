import { parseArgs } from 'node:util';
import { readConfig } from './config.ts';
import { type Config, ConfigError } from './service-settings.ts';

export interface SandboxOptions {
  readonly port: number;
  readonly host: string;
  /** The folder of the database and the keys. Undefined means a temporary one. */
  readonly dataDir: string | undefined;
  /** Print one line of JSON instead of text. */
  readonly json: boolean;
  /** Start the demo portal, too. */
  readonly demo: boolean;
  /** Stop when standard input ends, which it does when the parent process ends. */
  readonly stopsWithStdin: boolean;
  readonly verbose: boolean;
}

export const sandboxUsage = `Usage: svc-sandbox [options]

Starts Svc with an embedded database, a simulated bank and a demo portal.

  --port <number>   port of the service; the demo portal takes the one 100 above. 0 takes any
                    free ports. Default: 4000
  --host <address>  address to listen on. Default: localhost, which only this machine reaches
  --data <folder>   keeps the database and the keys. Default: .svc-sandbox
  --memory          keeps nothing: uses a temporary folder and removes it
  --json            prints addresses and keys as one line of JSON once it is ready
  --no-demo         leaves out the demo portal
  --stop-with-stdin stops when standard input ends, as it does when the parent process dies
  --verbose         logs each request
  --version, --help
`;

const options = {
  port: { type: 'string', default: '4000' },
  host: { type: 'string', default: 'localhost' },
  data: { type: 'string' },
  memory: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  demo: { type: 'boolean', default: true },
  'stop-with-stdin': { type: 'boolean', default: false },
  verbose: { type: 'boolean', default: false },
  version: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/** Reads the command line, or returns what to print instead of starting. @throws ConfigError */
export function readSandboxOptions(args: readonly string[]): SandboxOptions | 'help' | 'version' {
  const values = parse(args);
  if (values.help) return 'help';
  if (values.version) return 'version';
  if (values.memory && values.data !== undefined) {
    throw new ConfigError(
      '--memory keeps nothing and --data keeps everything: leave one of them out.',
    );
  }
  if (values.data === '') throw new ConfigError('--data needs the path of a folder.');
  if (values.host === '') throw new ConfigError('--host needs an address, such as 127.0.0.1.');
  const port = /^\d{1,5}$/.test(values.port) ? Number(values.port) : Number.NaN;
  if (!(port <= 65_535)) {
    throw new ConfigError(`--port must be a number from 0 to 65535, not "${values.port}".`);
  }
  return {
    port,
    host: values.host,
    dataDir: values.memory ? undefined : (values.data ?? '.svc-sandbox'),
    json: values.json,
    demo: values.demo,
    stopsWithStdin: values['stop-with-stdin'],
    verbose: values.verbose,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowNegative: true }).values;
  } catch (error) {
    const [sentence = ''] = (error as Error).message.split('. ');
    throw new ConfigError(
      `${sentence.replace(/\.$/, '')}. "svc-sandbox --help" lists the options.`,
    );
  }
}

const demoPortOffset = 100;

/**
 * The settings of a sandbox. They come from its options only: a DATABASE_URL in the environment belongs
 * to something else.
 */
export function sandboxConfig(
  { port, host, verbose }: SandboxOptions,
  dataDir: string,
): Config & { readonly demoHost: string } {
  const demoPort = port === 0 || port + demoPortOffset > 65_535 ? 0 : port + demoPortOffset;
  const config = readConfig({
    PORT: String(port),
    DEMO_PORT: String(demoPort),
    SVC_HOST: host,
    SVC_DATA_DIR: dataDir,
    SVC_ALLOW_PRIVATE_WEBHOOKS: '1',
    SVC_LOG_LEVEL: verbose ? 'info' : 'warn',
  });
  return { ...config, demoHost: host === 'localhost' ? '127.0.0.1' : host };
}

const optionOfSetting: Readonly<Record<string, string>> = {
  PORT: '--port',
  DEMO_PORT: '--port',
  SVC_HOST: '--host',
  SVC_DATA_DIR: '--data',
};

/** Replaces the names of settings in a message of the service by the options that set them. */
export function withOptionNames(message: string): string {
  return message.replace(/\b[A-Z]+(?:_[A-Z]+)*\b/g, (name) => optionOfSetting[name] ?? name);
}
