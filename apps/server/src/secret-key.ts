import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Database, sql } from '@svc/db';
import { type Config, ConfigError } from './config.ts';
import { createVault, type Vault } from './vault.ts';

type Settings = Pick<Config, 'secretKey' | 'dataDir' | 'environment'>;

/**
 * The vault of this database: its key is the setting's, or a file's in the data folder.
 * @throws ConfigError when the database belongs to another key or environment.
 */
export async function openVault(db: Database, config: Settings, now: Date): Promise<Vault> {
  const vault = createVault(config.secretKey ?? (await keyFromFile(config.dataDir)));
  await db.run(sql`
    insert into installation (environment, secret_key_fingerprint, created_at)
    values (${config.environment}, ${vault.fingerprint}, ${now})
    on conflict (only_row) do nothing`);
  const row = await db.one<{ environment: string; fingerprint: Buffer }>(sql`
    select environment, secret_key_fingerprint as fingerprint from installation`);
  if (row.environment !== config.environment) {
    throw new ConfigError(
      `This database was set up for ${row.environment}: set SVC_ENVIRONMENT=${row.environment}, or use another database.`,
    );
  }
  if (!row.fingerprint.equals(vault.fingerprint)) {
    throw new ConfigError(
      config.secretKey === undefined
        ? `This database was set up with another secret key than ${fileIn(config.dataDir)}: put the first file back, or set SVC_SECRET_KEY to its key.`
        : 'This database was set up with another secret key: set SVC_SECRET_KEY to the first one.',
    );
  }
  return vault;
}

/** Made once, readable by this user alone. */
async function keyFromFile(dataDir: string): Promise<Buffer> {
  const file = fileIn(dataDir);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(file, `${randomBytes(32).toString('base64')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(file, error);
  }
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw unusable(file, error);
  });
  const key = Buffer.from(text.trim(), 'base64');
  if (key.length === 32) return key;
  throw new ConfigError(`${file} does not hold a secret key of 32 bytes: put the right file back.`);
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'secret.key');
}

function unusable(file: string, error: unknown): ConfigError {
  const { code } = error as NodeJS.ErrnoException;
  return new ConfigError(`The secret key ${file} cannot be read or made (${code}).`);
}
