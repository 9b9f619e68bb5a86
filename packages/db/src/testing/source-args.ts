import { fileURLToPath } from 'node:url';

/**
 * What node is given to run a source file in a process of its own: as `npm test` has just built it,
 * which starts in a third of the time, or else the file itself.
 */
export function sourceArgs(source: URL, { embedded }: { embedded: boolean }): string[] {
  // PGlite starts twice as fast without the optimizing compiler.
  const flags = embedded ? ['--liftoff-only'] : [];
  const file = fileURLToPath(source);
  return process.env.SVC_TEST_BUILT === undefined
    ? [...flags, '--conditions=source', '--import', 'tsx', file]
    : [...flags, file.replace(/^(.*)\/src\/(.*)\.ts$/, '$1/dist/$2.js')];
}
