/** A file to copy that receives webhooks. */
export interface Sample {
  file: string;
  /** What the file needs beside the language itself. */
  needs: string;
  /** The file for an endpoint at this path. */
  code: (path: string) => string;
}

/** One language's ways of receiving a webhook. */
export interface Language {
  name: string;
  /** With a library that verifies; the first is the one to take. */
  libraries: readonly (Sample & { name: string; install: string })[];
  /** Without one, where no library may be added. */
  manual:
    | (Sample & {
        /** The check alone: `raw` bytes, three headers, secret and Unix seconds in, true or false out. */
        verify: string;
      })
    | null;
}

/** A path as a string literal in double quotes, which all languages here read alike. */
export function quote(path: string): string {
  return `"${path.replaceAll('\\', '%5C').replaceAll('"', '%22')}"`;
}
