import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import {
  type Administered,
  type Administration,
  type Answer,
  administer,
  type Operator,
} from './administer.ts';

/** One line over the socket. Only this user can open it, so the name of the user is trusted. */
interface ControlRequest {
  readonly request: Administration;
  readonly by: Operator;
}

export interface Control {
  close(): Promise<void>;
}

// sun_path holds 108 bytes on Linux, 104 on macOS; Node 20 cuts a longer path without a word.
const longestSocketPath = 103;
const longestRequest = 10_000;

/**
 * A socket in the data folder, for this user alone: the command line reaches the service that holds
 * the embedded database. The folder's lock is ours, so what stands in the socket's place is dead.
 */
export async function startControl(dataDir: string, parts: Administered): Promise<Control> {
  // The asker ends its half after the request.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    answer(socket, parts).catch((error: unknown) => {
      parts.log.error({ err: error }, 'a control command failed');
      socket.destroy();
    });
  });
  const path = await makePath(dataDir);
  await rm(path, { force: true });
  await listen(server, path);
  await chmod(path, 0o600);
  return {
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Undefined when no service listens there. */
export async function askService(
  dataDir: string,
  request: ControlRequest,
): Promise<Answer | undefined> {
  const path = await findPath(dataDir);
  if (path === undefined) return undefined;
  const socket = connect(path);
  const said = await new Promise<string | undefined>((resolve, reject) => {
    let text = '';
    socket.on('data', (data) => {
      text += data.toString();
    });
    socket.on('end', () => resolve(text));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (['ENOENT', 'ECONNREFUSED'].includes(error.code ?? '')) resolve(undefined);
      else reject(error);
    });
    socket.end(`${JSON.stringify(request)}\n`);
  });
  if (said === '') throw new Error('The service did not answer: see its log.');
  return said === undefined ? undefined : (JSON.parse(said) as Answer);
}

async function answer(socket: Socket, parts: Administered): Promise<void> {
  const { request, by } = JSON.parse(await readLine(socket)) as ControlRequest;
  const result = await administer(parts, request, by);
  socket.end(JSON.stringify(result));
}

function readLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    socket.on('data', (data) => {
      text += data.toString();
      if (text.includes('\n')) resolve(text);
      else if (text.length > longestRequest) reject(new Error('the request is too long'));
    });
    socket.on('error', reject);
    socket.on('end', () => reject(new Error('the request ended early')));
  });
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(path, () => {
      server.unref();
      resolve();
    });
  });
}

/** In the data folder where it fits, else in a private folder that a note there names. */
async function makePath(dataDir: string): Promise<string> {
  const path = shortest(join(dataDir, 'control.sock'));
  if (fits(path)) return path;
  const elsewhere = join(await mkdtemp(join(tmpdir(), 'svc-')), 'c');
  await writeFile(noteIn(dataDir), elsewhere, { mode: 0o600 });
  return elsewhere;
}

async function findPath(dataDir: string): Promise<string | undefined> {
  const path = shortest(join(dataDir, 'control.sock'));
  if (fits(path)) return path;
  return readFile(noteIn(dataDir), 'utf8').catch(() => undefined);
}

function noteIn(dataDir: string): string {
  return join(dataDir, 'control-path');
}

function fits(path: string): boolean {
  return Buffer.byteLength(path) <= longestSocketPath;
}

function shortest(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.length < path.length ? fromHere : path;
}
