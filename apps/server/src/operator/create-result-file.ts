import { open, rm } from 'node:fs/promises';
import { ConfigError } from '../service-settings.ts';
import { commandFile } from './command-file.ts';

/**
 * Creates the file that a result is written to. Only this user can read it.
 * @throws ConfigError when it exists already or cannot be created
 */
export async function createResultFile(path: string) {
  const file = await open(commandFile(path), 'wx', 0o600).catch((error: NodeJS.ErrnoException) => {
    throw new ConfigError(
      `The file ${path} cannot be created (${error.code}). Name a new file in a folder that exists.`,
    );
  });
  return {
    async write(text: string): Promise<void> {
      await file.writeFile(text);
      await file.close();
    },
    async discard(): Promise<void> {
      await file.close();
      await rm(commandFile(path));
    },
  };
}
