import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { bytes, type Database, type RowOf, row, sql, text } from '@svc/db';
import { createVault, parseSecretKeys, type SecretKeys, type Vault } from '@svc/runtime';
import { type Config, ConfigError } from './service-settings.ts';

type Settings = Pick<Config, 'secretKeys' | 'dataDir' | 'environment'>;

/**
 * Opens the vault of this database. Its keys are SVC_SECRET_KEY or one in a file of the data folder.
 * The file is created only for a new database, so that a process with the wrong folder does not leave
 * a key there.
 * @throws ConfigError when the database belongs to another key or environment
 */
export async function openVault(db: Database, config: Settings, now: Date): Promise<Vault> {
  const installation = await readInstallation(db);
  if (installation) return checkedVault(await openExisting(config), config, installation);
  const vault = createVault(...(config.secretKeys ?? (await createKeyFile(config.dataDir))));
  await db.run(sql`
    insert into installation (environment, secret_key_fingerprint, created_at)
    values (${config.environment}, ${vault.fingerprints[0]}, ${now})
    on conflict (only_row) do nothing`);
  // Another process may have stored its own first, with another key.
  const stored = await readInstallation(db);
  if (!stored) throw new Error('The installation was not stored.');
  return checkedVault(vault, config, stored);
}

/**
 * Compares the key with the one that the database was set up with. Writes nothing.
 * @throws ConfigError when the database belongs to another key or environment, or the key is missing
 */
export async function checkSecretKey(db: Database, config: Settings): Promise<string> {
  const installation = await readInstallation(db);
  if (!installation) return 'stored by the first start or command';
  checkedVault(await openExisting(config), config, installation);
  return 'the one of this database';
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

async function openExisting({ secretKeys, dataDir }: Settings): Promise<Vault> {
  if (secretKeys !== undefined) return createVault(...secretKeys);
  if (existsSync(fileIn(dataDir))) return createVault(...(await readKeyFile(dataDir)));
  throw new ConfigError(
    `This database was set up with a secret key, but there is none in ${fileIn(dataDir)}. Set SVC_SECRET_KEY to that key, or SVC_DATA_DIR to the folder that holds it.`,
  );
}

function checkedVault(vault: Vault, config: Settings, installation: Installation): Vault {
  if (installation.environment !== config.environment) {
    throw new ConfigError(
      `This database was set up for ${installation.environment}. Set SVC_ENVIRONMENT=${installation.environment}, or use another database.`,
    );
  }
  // While a key is being replaced, the database still belongs to the old one, which is not the first.
  if (!vault.fingerprints.some((each) => each.equals(installation.fingerprint))) {
    throw new ConfigError(
      config.secretKeys === undefined
        ? `This database was set up with another secret key than the one in ${fileIn(config.dataDir)}. Restore the original file, or set SVC_SECRET_KEY to its content.`
        : 'This database was set up with another secret key. Set SVC_SECRET_KEY to the original one, or add that one after the new key, separated by a comma.',
    );
  }
  return vault;
}

/** Creates the file, readable by this user only. If another process was faster, its key is used. */
async function createKeyFile(dataDir: string): Promise<SecretKeys> {
  const file = fileIn(dataDir);
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await writeFile(file, `${randomBytes(32).toString('base64')}\n`, { flag: 'wx', mode: 0o600 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw unusable(file, error);
  }
  return readKeyFile(dataDir);
}

async function readKeyFile(dataDir: string): Promise<SecretKeys> {
  const file = fileIn(dataDir);
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw unusable(file, error);
  });
  const keys = parseSecretKeys(text);
  if (keys) return keys;
  throw new ConfigError(`${file} does not hold a secret key of 32 bytes. Restore the right file.`);
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'secret.key');
}

function unusable(file: string, error: unknown): ConfigError {
  const { code } = error as NodeJS.ErrnoException;
  return new ConfigError(
    `The secret key ${file} cannot be read or created (${code}). Check the permissions of the data folder.`,
  );
}

/** Stores the fingerprint of the vault's first key. From then on, the database belongs to that key alone. */
export async function storeFingerprint(db: Database, vault: Vault): Promise<void> {
  await db.run(sql`update installation set secret_key_fingerprint = ${vault.fingerprints[0]}`);
}
