/** One language's way of receiving a webhook: a whole file to copy. */
export interface Language {
  name: string;
  file: string;
  /** What the file needs beside the language itself. */
  needs: string;
  /** The check alone: `raw` bytes, three headers, secret and Unix seconds in, true or false out. */
  verify: string;
  /** The file for an endpoint at this path. */
  code: (path: string) => string;
}

/** A path as a string literal in double quotes, which all seven languages read alike. */
export function quote(path: string): string {
  return `"${path.replaceAll('\\', '%5C').replaceAll('"', '%22')}"`;
}
