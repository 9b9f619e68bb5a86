import { fileURLToPath } from 'node:url';

/**
 * Returns the arguments for node to run a source file in a separate process. Under `npm test` it runs the file that
 * was just built, which starts in a third of the time.
 */
export function sourceArgs(source: URL, { embedded }: { embedded: boolean }): string[] {
  // PGlite starts twice as fast without the optimizing compiler.
  const flags = embedded ? ['--liftoff-only'] : [];
  const file = fileURLToPath(source);
  return process.env.SVC_TEST_BUILT === undefined
    ? [...flags, '--conditions=source', '--import', 'tsx', file]
    : [...flags, file.replace(/^(.*)\/src\/(.*)\.ts$/, '$1/dist/$2.js')];
}
