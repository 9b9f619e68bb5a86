import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, runNode } from '../steps/run-command.mjs';
import { publishedPackages } from './pack-sdk.mjs';
import { currentVersion, manifestPaths, manifestWithVersion } from './set-version.ts';

/** Changelogs whose section "Next release" becomes the release. */
const LOGS = ['docs/changelog.md', 'docs/events.md'];

/** Returns whether something is left to release, because `version-packages` deletes the changesets. */
export function hasChangesets(root = ROOT): boolean {
  return readdirSync(join(root, '.changeset')).some((name) => name.endsWith('.md'));
}

export function lastRelease(root = ROOT): string {
  const [last] = JSON.parse(readFileSync(join(root, 'scripts/release/releases.json'), 'utf8'));
  return last.version;
}

/**
 * Turns the changesets into the packages' changelogs, and dates the next release's section of our own changelogs with
 * `today`. All manifests already have the version that is being prepared. `changeset version` raises the version that
 * it finds, so it gets manifests with the last release's version, and must arrive at the prepared one.
 */
export async function versionPackages(root: string, today: Date): Promise<void> {
  const prepared = currentVersion(root);
  const last = lastRelease(root);
  if (prepared === last) {
    throw new Error(
      `${last} is released. Prepare the next version first, for example: npm run set-version -- 0.4.0`,
    );
  }
  const manifests = new Map(
    manifestPaths(root).map((path) => [path, readFileSync(join(root, path), 'utf8')]),
  );
  try {
    for (const [path, text] of manifests) {
      const manifest = manifestWithVersion(JSON.parse(text), last);
      writeFileSync(join(root, path), `${JSON.stringify(manifest, null, 2)}\n`);
    }
    const changeset = join(root, 'node_modules/@changesets/cli/bin.js');
    const { code, output } = await runNode([changeset, 'version'], { cwd: root, quiet: true });
    if (code !== 0) throw new Error(`changeset version failed:\n${output}`);
    for (const folder of publishedPackages()) {
      const { name, version } = JSON.parse(
        readFileSync(join(root, folder, 'package.json'), 'utf8'),
      );
      if (version !== prepared) {
        throw new Error(
          `The changesets make ${name} ${version}, but ${prepared} is prepared. Run npm run set-version -- ${version}, or change their bumps.`,
        );
      }
    }
  } finally {
    for (const [path, text] of manifests) writeFileSync(join(root, path), text);
  }
  for (const path of LOGS.filter((it) => existsSync(join(root, it)))) {
    const text = readFileSync(join(root, path), 'utf8');
    writeFileSync(join(root, path), withReleaseDate(text, prepared, today));
  }
}

/** Replaces `## Next release (0.3.0)` with `## 0.3.0 (November 26, 2026)`. */
export function withReleaseDate(text: string, version: string, today: Date): string {
  const date = today.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  return text.replaceAll(`# Next release (${version})`, `# ${version} (${date})`);
}

// `npm run version-packages`, in the release workflow
if (process.argv[1] === import.meta.filename) await versionPackages(ROOT, new Date());
