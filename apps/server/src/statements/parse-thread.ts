import { parentPort, workerData } from 'node:worker_threads';
import { BadFile } from './bad-file.ts';
import { type ParsedStatements, parseStatements } from './parse-statements.ts';

/** The message that the thread of `parseInThread` answers with. */
export type Parsed =
  | { readonly parsed: ParsedStatements }
  | { readonly bad: { readonly line: number; readonly reason: string } };

parentPort?.postMessage(answer(workerData as Uint8Array));

function answer(file: Uint8Array): Parsed {
  try {
    return { parsed: parseStatements(file) };
  } catch (error) {
    if (!(error instanceof BadFile)) throw error;
    const { line, reason } = error;
    return { bad: { line, reason } };
  }
}
