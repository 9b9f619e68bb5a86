/** A file to copy that receives webhooks. */
interface Sample {
  file: string;
  /** The packages that the file needs in addition to the language. */
  needs: string;
  /** The file for an endpoint at this path. */
  code: (path: string) => string;
}

/** One language's ways of receiving a webhook. */
export interface Language {
  name: string;
  /** Samples that use a library, in order of preference. */
  libraries: readonly (Sample & { name: string; install: string })[];
  /** A sample without a library, or null if the language's standard library has no HMAC. */
  manual:
    | (Sample & {
        /** Only the verification function: raw body, three headers, secret, and Unix time in; boolean out. */
        verify: string;
      })
    | null;
}

/** Quotes a path as a double-quoted string literal that is valid in all of these languages. */
export function quote(path: string): string {
  return `"${path.replaceAll('\\', '%5C').replaceAll('"', '%22')}"`;
}
