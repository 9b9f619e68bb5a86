import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from './environment.ts';
import { Failure } from './failure.ts';
import { readTextFile } from './read-text-file.ts';

export interface Profile {
  url: string;
  api_key: string;
  pms: string | null;
  environment: string;
}

export interface Config {
  /** The profile that commands use without `--profile`. */
  current: string;
  profiles: Record<string, Profile>;
}

/** State that `listen` stores for each profile. */
export interface Listening {
  /** Signs the events that `listen` forwards. */
  webhook_secret: string;
  forward_to?: string;
  /** The last event that was forwarded. */
  last_event?: string;
}

/** Files in the user's configuration folder, readable by the user only: they hold API keys. */
export interface Store {
  /** Null if the user has no home folder: then nothing is stored, and nothing can be. */
  readonly folder: string | null;
  readConfig(): Config;
  writeConfig(config: Config): void;
  readListening(profile: string): Listening | undefined;
  writeListening(profile: string, listening: Listening): void;
}

export function openStore(environment: Environment): Store {
  const folder = folderOf(environment);
  const configFile = 'config.json';
  const listenFile = 'listen.json';
  return {
    folder,
    readConfig() {
      const { current = 'default', profiles = {} } =
        readFile<Partial<Config>>(folder, configFile) ?? {};
      return { current, profiles };
    },
    writeConfig: (config) => writeFile(folder, configFile, config),
    readListening: (profile) => readFile<Record<string, Listening>>(folder, listenFile)?.[profile],
    writeListening(profile, listening) {
      const all = readFile<Record<string, Listening>>(folder, listenFile) ?? {};
      writeFile(folder, listenFile, { ...all, [profile]: listening });
    },
  };
}

function folderOf({ variables, platform, home }: Environment): string | null {
  if (variables.SVC_CONFIG_DIR) return variables.SVC_CONFIG_DIR;
  const [ofUser, belowHome] =
    platform === 'win32'
      ? [variables.APPDATA, 'AppData/Roaming']
      : [variables.XDG_CONFIG_HOME, '.config'];
  if (ofUser) return join(ofUser, 'svc');
  return home === null ? null : join(home, belowHome, 'svc');
}

function readFile<T>(folder: string | null, name: string): T | undefined {
  if (folder === null) return undefined;
  const file = join(folder, name);
  let text: string;
  try {
    text = readTextFile(file);
    // A copy or a backup may have made it readable to others.
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Failure(`Cannot read ${file}: ${(error as Error).message}.`, {
      next: 'Correct its permissions, or set SVC_CONFIG_DIR to another folder.',
    });
  }
  try {
    return JSON.parse(text) as T;
  } catch {
    throw new Failure(`${file} is not valid JSON.`, {
      next: 'Correct it, or delete it and run "svc login" again.',
    });
  }
}

/** Replaces the file in one step, so that a crash or another command never leaves half of it. */
function writeFile(folder: string | null, name: string, value: object): void {
  if (folder === null) {
    throw new Failure('There is no folder to store this in: the user has no home folder.', {
      next: 'Set SVC_CONFIG_DIR to a folder, or SVC_API_KEY and SVC_URL instead of a profile.',
    });
  }
  const file = join(folder, name);
  const draft = `${file}.${randomBytes(4).toString('hex')}`;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600 });
    renameSync(draft, file);
  } catch (error) {
    throw new Failure(`Cannot write ${file}: ${(error as Error).message}.`, {
      next: 'Correct its permissions, or set SVC_CONFIG_DIR to another folder.',
    });
  }
}
