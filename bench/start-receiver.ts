import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The receiver in its own process; it ends with this one. */
export async function startReceiver(): Promise<{ url: string; stop: () => void }> {
  const file = fileURLToPath(new URL('./receiver.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: `http://127.0.0.1:${String(port).trim()}/hook`,
    stop: () => child.stdin.end(),
  };
}
