import { expect, test } from 'vitest';
import { readSandboxOptions, sandboxConfig, withOptionNames } from './sandbox-options.ts';

function read(...args: string[]) {
  const options = readSandboxOptions(args);
  if (typeof options === 'string') throw new Error(`It would print the ${options}.`);
  return options;
}

test('it listens on loopback and keeps its data, unless told otherwise', () => {
  expect(read()).toMatchObject({ port: 4000, host: 'localhost', dataDir: '.svc-sandbox' });
  expect(read('--memory').dataDir).toBeUndefined();
  expect(read('--host', '0.0.0.0', '--port=0')).toMatchObject({ host: '0.0.0.0', port: 0 });
});

test('the demo portal listens 100 ports above, or on any free port', () => {
  const demoPort = (port: string) => sandboxConfig(read('--port', port), 'data').demoPort;
  expect(['4000', '0', '65500'].map(demoPort)).toEqual([4100, 0, 0]);
});

test('the environment has no say: its database belongs to something else', () => {
  const before = process.env.DATABASE_URL;
  process.env.DATABASE_URL = 'postgres://localhost/precious';
  try {
    expect(sandboxConfig(read(), '/data').database).toEqual({ dataDir: '/data' });
  } finally {
    if (before === undefined) delete process.env.DATABASE_URL;
    else process.env.DATABASE_URL = before;
  }
});

test.each([
  [['--prot', '1'], `Unknown option '--prot'. "svc-sandbox --help" lists the options.`],
  [['start'], `Unexpected argument 'start'. "svc-sandbox --help" lists the options.`],
  [['--port', '70000'], '--port must be a number from 0 to 65535, not "70000".'],
  [['--port', ''], '--port must be a number from 0 to 65535, not "".'],
  [['--data', ''], '--data needs the path of a folder.'],
  [['--host', ''], '--host needs an address, such as 127.0.0.1.'],
  [
    ['--memory', '--data', 'x'],
    '--memory keeps nothing and --data keeps everything: leave one of them out.',
  ],
])('%j is refused with a sentence', (args, sentence) => {
  expect(() => readSandboxOptions(args)).toThrow(sentence);
});

test('messages of the service name the options', () => {
  expect(withOptionNames('Stop the other process, or set DEMO_PORT to a different port.')).toBe(
    'Stop the other process, or set --port to a different port.',
  );
  expect(withOptionNames('EACCES is not a setting.')).toBe('EACCES is not a setting.');
});
