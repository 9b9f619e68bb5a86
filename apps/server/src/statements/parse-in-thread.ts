import { Worker } from 'node:worker_threads';
import { BadFile } from './bad-file.ts';
import type { ParsedStatements } from './parse-statements.ts';
import type { Parsed } from './parse-thread.ts';

// 100,000 lines are 3 s of work and 300 MB. A file that needs more ends the thread, and not the service.
const mostMemoryMb = 768;
const mostMs = 45_000;

/**
 * Reads a statement file in a thread, so that a large or hostile one holds up no request.
 * @throws BadFile
 */
export async function parseInThread(file: Uint8Array): Promise<ParsedStatements> {
  const answer = await askThread(file);
  if ('parsed' in answer) return answer.parsed;
  throw new BadFile(answer.bad.line, answer.bad.reason);
}

function askThread(file: Uint8Array): Promise<Parsed> {
  const isBuilt = import.meta.url.endsWith('.js');
  const name = isBuilt ? './parse-thread.js' : './parse-thread-from-source.js';
  const thread = new Worker(new URL(name, import.meta.url), {
    workerData: file,
    resourceLimits: { maxOldGenerationSizeMb: mostMemoryMb },
  });
  return new Promise<Parsed>((resolve, reject) => {
    const tooMuch = new BadFile(1, 'the file takes too long to read. Split it by day.');
    const timer = setTimeout(() => reject(tooMuch), mostMs);
    thread.once('message', resolve);
    thread.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooMuch : error),
    );
    thread.once('exit', (code) => {
      clearTimeout(timer);
      reject(new Error(`The thread that reads statements ended with ${code}.`));
    });
  }).finally(() => thread.terminate());
}
