import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ConfigError } from '../service-settings.ts';
import { type Administered, type Answer, administer, type OperatorRequest } from './administer.ts';
import type { Operator } from './record-by-operator.ts';
import type { Manner } from './run-once.ts';

/** Sent as one line over the socket. Only this user can open the socket, so the user name is trusted. */
interface ControlRequest {
  readonly request: OperatorRequest;
  readonly by: Operator;
  readonly manner?: Manner;
  /** True if the caller reads progress lines, which come before the answer: `{ "progress": "…" }`. */
  readonly showsProgress?: boolean;
}

/** A line that the service sends before its answer, which is JSON without a line break. */
interface Progress {
  readonly progress: string;
}

export interface Control {
  close(): Promise<void>;
}

// sun_path holds 108 bytes on Linux and 104 on macOS. Node 20 silently truncates a longer path.
const maxSocketPathBytes = 103;
// Fits the lines of a statement file of 64 MiB as JSON, where each has the names of its fields.
const maxRequestLength = 200_000_000;

/**
 * Listens on a socket in the data folder, so that the command line can reach the service that holds
 * the embedded database. Only this user can open it. This process holds the folder's lock, so an
 * existing socket file was left by a process that died.
 * @throws ConfigError when the socket cannot be created
 */
export async function startControl(dataDir: string, parts: Administered): Promise<Control> {
  // The client closes its writing side after the request.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    handleRequest(socket, parts).catch((error: unknown) => {
      parts.log.error({ err: error }, 'operator command failed');
      socket.destroy();
    });
  });
  try {
    const path = await makePath(dataDir);
    await rm(path, { force: true });
    await listen(server, path);
    await chmod(path, 0o600);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(
      `The control socket of the data folder ${dataDir} cannot be created (${code}). Let this user write the folder, and remove control.sock and control-path from it.`,
    );
  }
  return {
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/**
 * Sends the request to the service of the data folder. Returns undefined if none is running.
 * @param progress called while a long command runs
 */
export async function askService(
  dataDir: string,
  request: Omit<ControlRequest, 'showsProgress'>,
  progress: (text: string) => void,
): Promise<Answer | undefined> {
  const path = await findPath(dataDir);
  if (path === undefined) return undefined;
  const socket = connect(path);
  const response = await new Promise<string | undefined>((resolve, reject) => {
    let text = '';
    socket.on('data', (data) => {
      text += data.toString();
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) progress((JSON.parse(line) as Progress).progress);
    });
    socket.on('end', () => resolve(text));
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (['ENOENT', 'ECONNREFUSED'].includes(error.code ?? '')) resolve(undefined);
      else reject(error);
    });
    socket.end(`${JSON.stringify({ ...request, showsProgress: true })}\n`);
  });
  if (response === '') throw new Error('The service did not answer. See its log for the error.');
  return response === undefined ? undefined : (JSON.parse(response) as Answer);
}

async function handleRequest(socket: Socket, parts: Administered): Promise<void> {
  const controlRequest = JSON.parse(await readLine(socket)) as ControlRequest;
  const { request, by, manner, showsProgress = false } = controlRequest;
  const progress = (text: string) =>
    void socket.write(`${JSON.stringify({ progress: text } satisfies Progress)}\n`);
  const result = await administer(
    showsProgress ? { ...parts, progress } : parts,
    request,
    by,
    manner,
  );
  socket.end(JSON.stringify(result));
}

function readLine(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    socket.on('data', (data: Buffer) => {
      parts.push(data);
      length += data.length;
      if (data.includes('\n')) resolve(Buffer.concat(parts).toString());
      else if (length > maxRequestLength) reject(new Error('The request is too long.'));
    });
    socket.on('error', reject);
    socket.on('end', () => reject(new Error('The request ended early.')));
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

/**
 * Returns the socket's path in the data folder. If it is too long for a socket, creates a private temporary folder
 * instead, and notes its path in the data folder.
 */
async function makePath(dataDir: string): Promise<string> {
  const path = shorterPath(join(dataDir, 'control.sock'));
  if (fitsSocketPath(path)) return path;
  const elsewhere = join(await mkdtemp(join(tmpdir(), 'svc-')), 'c');
  await writeFile(noteIn(dataDir), elsewhere, { mode: 0o600 });
  return elsewhere;
}

async function findPath(dataDir: string): Promise<string | undefined> {
  const path = shorterPath(join(dataDir, 'control.sock'));
  if (fitsSocketPath(path)) return path;
  return readFile(noteIn(dataDir), 'utf8').catch(() => undefined);
}

function noteIn(dataDir: string): string {
  return join(dataDir, 'control-path');
}

function fitsSocketPath(path: string): boolean {
  return Buffer.byteLength(path) <= maxSocketPathBytes;
}

function shorterPath(path: string): string {
  const fromHere = relative(process.cwd(), path);
  return fromHere.length < path.length ? fromHere : path;
}
