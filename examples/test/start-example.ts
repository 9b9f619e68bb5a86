import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

interface RunningExample {
  readonly address: string;
  stop(): Promise<void>;
}

interface ExampleSettings {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly pms: string;
}

/** Starts an example as its README says. It prints its address when it listens. */
export async function startExample(
  name: string,
  { baseUrl, apiKey, pms }: ExampleSettings,
): Promise<RunningExample> {
  const server = fileURLToPath(new URL(`../${name}/server.mjs`, import.meta.url));
  const child = spawn(process.execPath, [server], {
    env: {
      ...process.env,
      SVC_API_KEY: apiKey,
      SVC_PMS: pms,
      SVC_BASE_URL: baseUrl,
      PORT: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const stop = async () => {
    if (child.exitCode === null && child.kill()) await once(child, 'exit');
  };
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += chunk;
    const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(printed) ?? [];
    if (address) return { address, stop };
  }
  throw new Error(`${name} did not start: ${printed}`);
}
