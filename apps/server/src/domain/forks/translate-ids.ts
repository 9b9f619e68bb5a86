import { isDeepStrictEqual } from 'node:util';
import { isOwnId } from './recorded-calls.ts';

/**
 * Maps the ids of the original tenant to those of the copy. It learns the pairs from the responses and webhooks about
 * both, which have the same structure.
 */
export class TranslatedIds {
  private readonly copies = new Map<string, string>();

  constructor(externalId: string, copyId: string) {
    this.copies.set(externalId, copyId);
  }

  /** Learns from the ids in both responses to one call. Ids of the same kind are paired in their order. */
  learn(ids: readonly string[], copies: readonly string[]): void {
    const unpaired = [...copies];
    for (const id of ids) {
      const index = unpaired.findIndex((it) => kindOf(it) === kindOf(id));
      const [copy] = index === -1 ? [] : unpaired.splice(index, 1);
      if (copy !== undefined && !this.copies.has(id)) this.copies.set(id, copy);
    }
  }

  /** Returns the value with the known ids replaced by those of the copy. */
  translate(value: unknown): unknown {
    if (typeof value === 'string') return this.copies.get(value) ?? value;
    if (Array.isArray(value)) return value.map((it) => this.translate(it));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, it]) => [key, this.translate(it)]));
  }

  /**
   * Compares what a webhook says about the tenant with what one says about the copy. Returns the first difference as a
   * sentence; null if they are equal.
   */
  compare(original: unknown, copy: unknown, path: string): string | null {
    if (typeof original === 'string' && typeof copy === 'string') {
      if (isOwnId(original) && isOwnId(copy)) this.learn([original], [copy]);
      return this.translate(original) === copy ? null : differs(path, original, copy);
    }
    if (!isContainer(original) || !isContainer(copy)) {
      return isDeepStrictEqual(original, copy) ? null : differs(path, original, copy);
    }
    const keys = new Set([...Object.keys(original), ...Object.keys(copy)]);
    // It counts every change of the row, including those that a copy does not need.
    keys.delete('object_version');
    for (const key of keys) {
      const difference = this.compare(original[key], copy[key], `${path}.${key}`);
      if (difference !== null) return difference;
    }
    return null;
  }
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function differs(path: string, original: unknown, copy: unknown): string {
  return `${path} was ${JSON.stringify(original)}, and is ${JSON.stringify(copy)} in the copy`;
}

/** Returns the prefix of an id, such as `pln`; empty for a hash. */
function kindOf(id: string): string {
  return id.includes('_') ? id.slice(0, 3) : '';
}
