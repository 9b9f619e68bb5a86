import { resolve } from 'node:path';
import { callerFolder } from '../config.ts';

/** The full path of a file that a command line names. */
export function commandFile(path: string): string {
  return resolve(callerFolder(), path);
}
