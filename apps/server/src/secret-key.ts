import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytes, type Database, type RowOf, row, sql, text } from '@svc/db';
import { type Config, ConfigError } from './config.ts';
import { createVault, type Vault } from './vault.ts';

type Settings = Pick<Config, 'secretKey' | 'dataDir' | 'environment'>;

/**
 * The vault of this database: its key is the setting's, or a file's in the data folder. The file is
 * made only together with the database, so that a process with the wrong folder leaves no key there.
 * @throws ConfigError when the database belongs to another key or environment.
 */
export async function openVault(db: Database, config: Settings, now: Date): Promise<Vault> {
  const known = await readInstallation(db);
  if (known) return checked(await vaultOf(config), config, known);
  const vault = createVault(config.secretKey ?? (await makeKeyFile(config.dataDir)));
  await db.run(sql`
    insert into installation (environment, secret_key_fingerprint, created_at)
    values (${config.environment}, ${vault.fingerprint}, ${now})
    on conflict (only_row) do nothing`);
  // Another process may have been first.
  const made = await readInstallation(db);
  if (!made) throw new Error('the installation was not stored');
  return checked(vault, config, made);
}

const installationRow = row('installation', { environment: text, fingerprint: bytes });
type Installation = RowOf<typeof installationRow>;

function readInstallation(db: Database): Promise<Installation | undefined> {
  return db.maybe(
    installationRow,
    sql`
    select environment, secret_key_fingerprint as fingerprint from installation`,
  );
}

async function vaultOf({ secretKey, dataDir }: Settings): Promise<Vault> {
  if (secretKey !== undefined) return createVault(secretKey);
  if (existsSync(fileIn(dataDir))) return createVault(await readKeyFile(dataDir));
  throw new ConfigError(
    `This database was set up with a secret key, and there is none in ${fileIn(dataDir)}: set SVC_SECRET_KEY to that key, or SVC_DATA_DIR to the folder that holds it.`,
  );
}

function checked(vault: Vault, config: Settings, installation: Installation): Vault {
  if (installation.environment !== config.environment) {
    throw new ConfigError(
      `This database was set up for ${installation.environment}: set SVC_ENVIRONMENT=${installation.environment}, or use another database.`,
    );
  }
  if (!installation.fingerprint.equals(vault.fingerprint)) {
    throw new ConfigError(
      config.secretKey === undefined
        ? `This database was set up with another secret key than ${fileIn(config.dataDir)}: put the first file back, or set SVC_SECRET_KEY to its key.`
        : 'This database was set up with another secret key: set SVC_SECRET_KEY to the first one.',
    );
  }
  return vault;
}

/** Made once, readable by this user alone. */
async function makeKeyFile(dataDir: string): Promise<Buffer> {
  const file = fileIn(dataDir);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(file, `${randomBytes(32).toString('base64')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(file, error);
  }
  return readKeyFile(dataDir);
}

async function readKeyFile(dataDir: string): Promise<Buffer> {
  const file = fileIn(dataDir);
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
