import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';

// `node scripts/run.mjs bench/draw-profile.ts <file.cpuprofile> <file.svg> [<from ms>]`: prints how the time
// of a V8 profile is divided among the layers of the service, and draws it as a flame graph of files.
// Make a profile with SVC_BENCH_NODE_FLAGS="--cpu-prof" npm run bench -- service. docs/pictures/profile.png is a
// screenshot of one.

interface Profile {
  readonly startTime: number;
  readonly nodes: readonly ProfileNode[];
  /** The id of each sample's node. */
  readonly samples: readonly number[];
  /** Microseconds since the previous sample. */
  readonly timeDeltas: readonly number[];
}

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

/** One file of a stack, with the time spent in it and in the files that it called. */
interface Flame {
  readonly file: string;
  us: number;
  readonly called: Map<string, Flame>;
}

/** A sample belongs to the first layer that a frame of its stack matches, from the innermost frame on. */
const layers: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['collecting garbage', /^\(garbage collector\)/],
  ['writing to sockets, including the wait for the processor', /^\(write/],
  ['checking input and output (Zod)', /^(zod|server\/http\/input)/],
  ['statements: building, sending, reading rows', /^(db\/|pg|postgres-)/],
  ['logs', /^(pino|sonic-boom|server\/http\/log-requests)/],
  ['request log', /^server\/http\/request-log/],
  ['metrics', /^(prom-client|server\/metrics|server\/http\/observe)/],
  ['limits and fair queues', /^(server\/http\/edge|ipaddr)/],
  ['idempotency', /^server\/http\/idempotency/],
  ['keys, sessions and encryption', /^(runtime\/vault|server\/domain\/access|server\/http\/auth)/],
  ['domain', /^server\/(domain|context|ids|unit-of-work)/],
  ['routes and responses', /^server\/http/],
  ['HTTP (Node, Fastify)', /^(fastify|find-my-way|@fastify|reusify|fastq)/],
];
const otherLayer = 'Node: HTTP parser, streams, timers';

const [profileFile = '', svgFile = '', fromMs = '0'] = process.argv.slice(2);
const profile = JSON.parse(await readFile(profileFile, 'utf8')) as Profile;
const { root, byLayer } = readProfile(profile, Number(fromMs));
for (const [layer, us] of [...byLayer].sort((a, b) => b[1] - a[1])) {
  console.log(`| ${layer} | ${((us / root.us) * 100).toFixed(1)} % |`);
}
await writeFile(svgFile, drawFlames(root));

function readProfile({ nodes, samples, timeDeltas }: Profile, skippedMs: number) {
  const nodeOf = new Map(nodes.map((node) => [node.id, node]));
  const parentOf = new Map(
    nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node] as const)),
  );
  const stackOf = (id: number) => {
    const files: string[] = [];
    for (let node = nodeOf.get(id); node; node = parentOf.get(node.id)) files.push(fileOf(node));
    return files.reverse();
  };
  const root: Flame = { file: 'all', us: 0, called: new Map() };
  const byLayer = new Map<string, number>();
  let elapsedUs = 0;
  samples.forEach((id, index) => {
    const us = timeDeltas[index] ?? 0;
    elapsedUs += us;
    const stack = stackOf(id);
    if (elapsedUs < skippedMs * 1_000 || stack.at(-1) === '(idle)') return;
    const layer = layerOf(stack);
    byLayer.set(layer, (byLayer.get(layer) ?? 0) + us);
    addFlame(root, stack, us);
  });
  return { root, byLayer };
}

/** `server/http/handle`, `pg`, or `(writev)`: the function's name for code of Node and V8. */
function fileOf({ callFrame: { functionName, url } }: ProfileNode): string {
  const library = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  const own = /\/(?:apps|packages)\/([^/]+)\/(?:src|dist)\/(.+)\.[jt]s$/.exec(url);
  if (library !== undefined) return library;
  return own
    ? `${own[1]}/${own[2]}`
    : `(${functionName || 'native'})`.replace('((', '(').replace('))', ')');
}

function layerOf(stack: readonly string[]): string {
  for (const file of stack.toReversed()) {
    const found = layers.find(([, pattern]) => pattern.test(file));
    if (found) return found[0];
  }
  return otherLayer;
}

/** Adds the time along the stack. Neighbors in one file are one flame, and functions of Node are left out. */
function addFlame(root: Flame, stack: readonly string[], us: number): void {
  root.us += us;
  let flame = root;
  for (const file of stack) {
    if (file === flame.file || (file.startsWith('(') && file !== stack.at(-1))) continue;
    const inner = flame.called.get(file) ?? { file, us: 0, called: new Map() };
    flame.called.set(file, inner);
    inner.us += us;
    flame = inner;
  }
}

function drawFlames(root: Flame): string {
  const width = 1_200;
  const line = 18;
  const narrowest = 3;
  const boxes: string[] = [];
  let deepest = 0;
  const draw = (flame: Flame, left: number, depth: number) => {
    const size = (flame.us / root.us) * width;
    if (size < narrowest) return;
    deepest = Math.max(deepest, depth);
    const share = `${((flame.us / root.us) * 100).toFixed(1)} %`;
    const letters = Math.floor((size - 6) / 6.2);
    const label = [flame.file, basename(flame.file)].find(({ length }) => length <= letters);
    const y = depth * line;
    const text =
      label && `<text x="${(left + 3).toFixed(1)}" y="${y + 13}">${escaped(label)}</text>`;
    boxes.push(
      `<g><title>${escaped(flame.file)}: ${share}</title><rect x="${left.toFixed(1)}" y="${y}" width="${(size - 0.5).toFixed(1)}" height="${line - 1}" fill="${colorOf(flame.file)}"/>${text ?? ''}</g>`,
    );
    let innerLeft = left;
    for (const inner of [...flame.called.values()].sort((a, b) => b.us - a.us)) {
      draw(inner, innerLeft, depth + 1);
      innerLeft += (inner.us / root.us) * width;
    }
  };
  draw(root, 0, 0);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${(deepest + 1) * line}" font-family="ui-monospace, monospace" font-size="11">
<title>Time of a process by file</title>
<rect width="100%" height="100%" fill="#fff"/>
${boxes.join('\n')}
</svg>
`;
}

/** Returns one color for our files, one for libraries, and one for Node and V8. */
function colorOf(file: string): string {
  if (file.startsWith('(')) return '#d9d9d9';
  return /^(server|db|runtime|contract|webhooks)\//.test(file) ? '#9fd3b8' : '#f2c894';
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
