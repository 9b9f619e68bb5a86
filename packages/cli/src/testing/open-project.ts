import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { signedHeaders } from '../listen/sign.ts';

export const repository = fileURLToPath(new URL('../../../..', import.meta.url));

/** Writes a project that has the packages of this repository, or none yet. */
export async function writeProject(
  folder: string,
  manifest: object,
  files: Record<string, string> = {},
  options: { linked: boolean } = { linked: true },
): Promise<string> {
  await mkdir(folder, { recursive: true });
  if (options.linked) {
    await symlink(join(repository, 'node_modules'), join(folder, 'node_modules'));
  }
  for (const [path, text] of Object.entries({
    'package.json': JSON.stringify(manifest),
    ...files,
  })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}

export async function filesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

interface StartedProgram {
  readonly origin: string;
  /** All that it has printed. */
  output(): string;
  stop(): Promise<void>;
}

/** Starts a program of a project with only these variables. Resolves with the address it prints. */
export function startProgram(
  folder: string,
  command: readonly string[],
  variables: NodeJS.ProcessEnv = {},
): Promise<StartedProgram> {
  const [program = '', ...args] = command;
  const child: ChildProcess = spawn(program, args, {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
  };
  return new Promise((resolve, reject) => {
    let printed = '';
    const read = (chunk: Buffer) => {
      printed += chunk;
      const [origin] = /http:\/\/localhost:\d+/.exec(printed) ?? [];
      if (origin) resolve({ origin, output: () => printed, stop });
    };
    child.stdout?.on('data', read);
    child.stderr?.on('data', read);
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`It ended before it listened: ${printed}`)));
  });
}

export async function webhookSecretIn(file: string): Promise<string> {
  return /^SVC_WEBHOOK_SECRET=(.*)$/m.exec(await readFile(file, 'utf8'))?.[1] ?? '';
}

/** A secret that no receiver knows. */
export const foreignSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** Posts a signed event to the project's webhook route. Returns the status. */
export async function sendWebhook(origin: string, secret: string): Promise<number> {
  const event = { id: 'evt_1', type: 'plan.created', external_id: 't-100', data: {} };
  return await sendEvent(origin, secret, event);
}

export async function sendEvent(
  origin: string,
  secret: string,
  event: { readonly id: string; readonly [field: string]: unknown },
): Promise<number> {
  const text = JSON.stringify(event);
  const response = await fetch(`${origin}/api/svc/webhooks`, {
    method: 'POST',
    body: text,
    headers: {
      'content-type': 'application/json',
      ...signedHeaders(secret, { id: event.id, text, at: new Date() }),
    },
  });
  return response.status;
}

/** A port that was free a moment ago, on all interfaces. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}
