import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../steps/run-command.mjs';
import { runNpm } from '../steps/run-npm.mjs';

/** The folder that a service serves at `/sdk`: the tarballs of its release, and an index of them. */
export const PACKED = 'dist/sdk';

/** Outside of the workspaces, because `npm start` does not install React Native. It compiles without React Native. */
const REACT_NATIVE = 'clients/react-native';

/** Contains the other packages and a built service, so `npm run package:sandbox` packs it after them. */
export const SANDBOX = 'packages/sandbox';

/**
 * Returns the folders of the packages that partners install. `private` packages are bundled into them.
 * @returns {string[]} such as `packages/core`
 */
export function publishedPackages() {
  return readdirSync(join(ROOT, 'packages'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `packages/${name}`)
    .filter((folder) => 'publishConfig' in manifestOf(folder))
    .sort();
}

/**
 * Returns the folders of all packages that have a tarball.
 * @returns {string[]}
 */
export function packedPackages() {
  return [...publishedPackages(), REACT_NATIVE];
}

/**
 * Packs the packages except the sandbox, and writes `index.json`, with a hash of each tarball. npm gives all
 * files the same timestamp, so the same sources give the same bytes.
 */
export async function packSdk() {
  const out = join(ROOT, PACKED);
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  writeIndex(await pack(packedPackages().filter((folder) => folder !== SANDBOX)));
}

/** Packs the sandbox and adds it to the index. */
export async function addSandbox() {
  writeIndex([...readIndex(), ...(await pack([SANDBOX]))]);
}

/** Removes the sandbox and its tarball, so that the index is as before `addSandbox`. */
export function removeSandbox() {
  const { name } = manifestOf(SANDBOX);
  for (const { file } of readIndex().filter((it) => it.name === name)) {
    rmSync(join(ROOT, PACKED, file), { force: true });
  }
  writeIndex(readIndex().filter((it) => it.name !== name));
}

/** Returns whether the sandbox was added since the other packages were packed. */
export function hasSandbox() {
  const { name } = manifestOf(SANDBOX);
  return readIndex().some((it) => it.name === name);
}

/** @returns {Packed[]} */
function readIndex() {
  return JSON.parse(readFileSync(join(ROOT, PACKED, 'index.json'), 'utf8')).packages;
}

/** @typedef {{ name: string, version: string, description: string, file: string, size: number, integrity: string, needs: string[] }} Packed */

/**
 * @param {string[]} folders
 * @returns {Promise<Packed[]>}
 */
async function pack(folders) {
  const out = join(ROOT, PACKED);
  await runNpm(['pack', ...folders.map((folder) => `./${folder}`), `--pack-destination=${out}`]);
  return folders.map((folder) => {
    const { name, version, description, dependencies = {} } = manifestOf(folder);
    const file = `${name.replace(/^@/, '').replace('/', '-')}-${version}.tgz`;
    const bytes = readFileSync(join(out, file));
    const integrity = `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
    // npm installs these from a registry unless the same command names their tarballs.
    const needs = Object.keys(dependencies).filter((it) => it.startsWith('@svc/'));
    return { name, version, description, file, size: bytes.length, integrity, needs };
  });
}

/** @param {Packed[]} packages */
function writeIndex(packages) {
  const hash = createHash('sha256').update(JSON.stringify(packages)).digest('hex');
  const index = { release: `packages-${hash.slice(0, 12)}`, packages };
  writeFileSync(join(ROOT, PACKED, 'index.json'), `${JSON.stringify(index, null, 2)}\n`);
}

/**
 * @param {string} folder
 * @returns {{ name: string, version: string, description: string, dependencies?: Record<string, string> }}
 */
function manifestOf(folder) {
  return JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
}
