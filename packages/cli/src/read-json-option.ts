import { resolve } from 'node:path';
import { usageFailure } from './failure.ts';
import { readTextFile } from './read-text-file.ts';

/** Reads a JSON object from the value of an option: the JSON itself, or `@file`. */
export function readJsonOption(
  option: string,
  text: string,
  folder: string,
  example: string,
): Record<string, unknown> {
  let json = text;
  if (text.startsWith('@')) {
    try {
      json = readTextFile(resolve(folder, text.slice(1)));
    } catch (error) {
      throw usageFailure(`Cannot read ${text.slice(1)}: ${(error as Error).message}.`);
    }
  }
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw usageFailure(`${option} is not JSON: ${(error as Error).message}.`);
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Record<string, unknown>;
  }
  throw usageFailure(`${option} is not a JSON object.`, `Example: ${option} ${example}`);
}
