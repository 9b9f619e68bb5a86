import { posix } from 'node:path';

/**
 * Returns a version's section of docs/changelog.md as the text of a GitHub release: links lead to the files of its
 * tag, and headings begin at the second level. Throws if the version has no section.
 * @param address of the repository, such as `https://github.com/owner/svc`
 */
export function releaseNotes(changelog: string, version: string, address: string): string {
  const sections = changelog.split(/^## /m);
  const section = sections.find((it) => {
    const [heading = ''] = it.split('\n');
    return heading.startsWith(`${version} (`) || heading === `Next release (${version})`;
  });
  if (section === undefined) throw new Error(`docs/changelog.md has no section for ${version}.`);
  const body = section.slice(section.indexOf('\n')).trim().replace(/^###/gm, '##');
  const files = `${address}/blob/v${version}`;
  const linked = body.replace(/\]\((?!https?:|\/)([^)]+)\)/g, (_, path: string) =>
    path.startsWith('#')
      ? `](${files}/docs/changelog.md${path})`
      : `](${files}/${posix.normalize(`docs/${path}`)})`,
  );
  return `${linked}\n\n## Install\n\n[Deploy](${files}/docs/operate/deploy.md) or [upgrade](${files}/docs/operate/upgrade.md) with the archive, the image or the chart below.\n`;
}
