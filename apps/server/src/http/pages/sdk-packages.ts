import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeHtml } from '../../domain/escape-html.ts';
import { htmlPage } from './html-page.ts';

/** A package of this release that partners install by its URL. */
interface PackedPackage {
  /** `@svc/react` */
  readonly name: string;
  readonly version: string;
  readonly description: string;
  /** `svc-react-0.1.0.tgz` */
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  /** `sha512-…`, which npm also writes to the lock file. */
  readonly integrity: string;
  /** Our other packages that it imports. */
  readonly needs: readonly string[];
}

/** The file that packing writes about the tarballs. */
interface PackageIndex {
  /** A hash of all tarballs. */
  readonly release: string;
  readonly packages: readonly PackedPackage[];
}

/** Reads the index. It is empty until the packages are packed. */
export async function readPackages(folder: string): Promise<PackageIndex> {
  try {
    return JSON.parse(await readFile(join(folder, 'index.json'), 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return { release: 'none', packages: [] };
  }
}

/** The script for pages without a bundler, with its hash. */
interface ScriptTag {
  readonly path: string;
  readonly integrity: string;
}

/** The page `/sdk`: commands that install this release, ready to copy, and what the files are. */
export function packagesPage(
  origin: string,
  { packages }: PackageIndex,
  script: ScriptTag | null,
): string {
  const title = 'Install the packages';
  if (packages.length === 0) {
    return htmlPage(
      title,
      [
        `<h1>${title}</h1>`,
        '<p>The packages are being built. <code>npm start</code> does it in the background, in about a minute. This page reloads until they are there.</p>',
        '<p>If they never come, the terminal says why. <code>npm run build</code> builds everything.</p>',
      ],
      '<meta http-equiv="refresh" content="2">',
    );
  }
  const install = (...names: string[]) => installCommand(origin, packages, names);
  const cli = packages.find(({ name }) => name === '@svc/cli');
  const sandbox = packages.find(({ name }) => name === '@svc/sandbox');
  return htmlPage(title, [
    '<nav aria-label="Docs"><a href="/docs">Docs</a></nav>',
    `<h1>${title}</h1>`,
    `<p>This service serves the packages of its own release, because they are not in a registry yet. Each
command installs everything that it needs. <a href="/docs">The docs</a> show how to use them.</p>`,
    '<h2>React and Next.js</h2>',
    codeBlock(install('@svc/react')),
    '<h2>React Native and Expo</h2>',
    codeBlock(install('@svc/react-native')),
    '<h2>Any other page with a bundler</h2>',
    codeBlock(install('@svc/core')),
    ...(script === null
      ? []
      : ['<h2>A page without a bundler</h2>', codeBlock(tagOf(origin, script))]),
    '<h2>A backend on Node</h2>',
    codeBlock(install('@svc/node')),
    ...(cli
      ? ['<h2>The command line</h2>', codeBlock(`npx ${origin}/sdk/${cli.file} --help`)]
      : []),
    ...(sandbox
      ? [
          '<h2>The whole sandbox</h2>',
          `<p>It runs on your machine, and <a href="/docs/ci">in your tests</a>:</p>`,
          codeBlock(
            `npx ${origin}/sdk/${sandbox.file}\nnpm install --save-dev ${origin}/sdk/${sandbox.file}`,
          ),
        ]
      : []),
    '<h2>Keep a copy</h2>',
    `<p>An upgrade of the service replaces these files and their addresses. Commit the files to your
repository, and install from there:</p>`,
    codeBlock(vendorCommands(origin, packages)),
    '<h2>Files</h2>',
    '<p>The lock file that npm writes contains the same hashes. Programs read them from',
    '<a href="/sdk/release.json"><code>/sdk/release.json</code></a>.</p>',
    '<div class="svc-table-wrap"><table class="svc-table">',
    '<thead><tr><th>Package</th><th>File</th><th>Size</th><th>Integrity</th></tr></thead><tbody>',
    ...packages.map(rowOf),
    '</tbody></table></div>',
  ]);
}

function codeBlock(text: string): string {
  return `<pre class="svc-code" tabindex="0"><code>${escapeHtml(text)}</code></pre>`;
}

function installCommand(
  origin: string,
  packages: readonly PackedPackage[],
  names: string[],
): string {
  return `npm install ${urlsOf(origin, packages, names).join(' ')}`;
}

/** The URLs of packages, after those that they need: npm would look for these in a registry. */
function urlsOf(
  origin: string,
  packages: readonly PackedPackage[],
  names: readonly string[],
): string[] {
  const all = new Set<PackedPackage>();
  const add = (name: string) => {
    const found = packages.find((it) => it.name === name);
    if (!found || all.has(found)) return;
    for (const needed of found.needs) add(needed);
    all.add(found);
  };
  for (const name of names) add(name);
  return Array.from(all, ({ file }) => `${origin}/sdk/${file}`);
}

function tagOf(origin: string, { path, integrity }: ScriptTag): string {
  return `<script src="${origin}${path}"
  integrity="${integrity}" crossorigin="anonymous" defer></script>
<script type="module">
  const svc = Svc({ /* the settings of the widget */ });
</script>`;
}

function vendorCommands(origin: string, packages: readonly PackedPackage[]): string {
  const pages = ['@svc/core', '@svc/react', '@svc/node'];
  const files = packages.filter(({ name }) => pages.includes(name)).map(({ file }) => file);
  return [
    'mkdir -p vendor',
    ...files.map((file) => `curl -fo vendor/${file} ${origin}/sdk/${file}`),
    `npm install ${files.map((file) => `./vendor/${file}`).join(' ')}`,
  ].join('\n');
}

function rowOf({ name, file, size, integrity }: PackedPackage): string {
  const kilobytes = (size / 1000).toFixed(1);
  return `<tr><td><code>${name}</code></td><td><a href="/sdk/${file}">${file}</a></td>
<td class="svc-table__number">${kilobytes} kB</td><td><code>${integrity}</code></td></tr>`;
}
