import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

/**
 * Returns the path of a program that some tests need and not every machine has: from `variable`, or on PATH. Undefined
 * if neither has it.
 */
export function findProgram(name: string, variable: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(':');
  const candidates = [process.env[variable], ...folders.map((folder) => join(folder, name))];
  return candidates.find((path) => path && isExecutable(path));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
