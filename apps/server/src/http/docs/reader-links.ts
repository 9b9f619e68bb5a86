import { newSecret } from '../../domain/access/secrets.ts';

/** The portal name and sandbox key that the samples of the docs show. */
export interface Reader {
  readonly pms: string;
  readonly api_key: string;
}

export interface ReaderLinks {
  /** Returns the secret of a link to the docs. The link shows the reader's key in the samples, once. */
  create(reader: Reader): string;
  /** Exchanges the secret. Undefined if it was used or never created. */
  open(secret: unknown): Reader | undefined;
}

/** Links of this process, in memory: `npm start` prints a new one each time. */
export function createReaderLinks(): ReaderLinks {
  const readers = new Map<unknown, Reader>();
  return {
    create(reader) {
      const secret = newSecret('svc_dl_');
      readers.set(secret, reader);
      return secret;
    },
    open(secret) {
      const reader = readers.get(secret);
      readers.delete(secret);
      return reader;
    },
  };
}
