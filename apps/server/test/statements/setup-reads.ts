import { keepDatabases, literal, watchStatements } from '@svc/db/testing';
import { expect } from 'vitest';
import { type Recorded, storeRecording } from './recordings.ts';
import { findSource, readSourceStatements } from './source-statements.ts';

/** A statement runs again with the values of its first two runs and of its last. */
const firstSamples = 2;

const statements = readSourceStatements(process.cwd());
const isOurs = new Map<string, boolean>();
const byDatabase = new Map<string, Map<string, Recorded>>();

watchStatements((database, { text, values }) => {
  if (!database.startsWith('svc_test_')) return;
  if (!isOurs.has(text)) isOurs.set(text, findSource(statements, text) !== undefined);
  if (!isOurs.get(text)) return;
  const recorded = byDatabase.get(database) ?? new Map<string, Recorded>();
  byDatabase.set(database, recorded);
  const { samples } = recorded.get(text) ?? { samples: [] };
  recorded.set(text, { text, samples });
  samples[Math.min(samples.length, firstSamples)] = values.map(literal);
});

keepDatabases((name, url) => {
  const recorded = byDatabase.get(name);
  if (!recorded) return false;
  storeRecording({ file: expect.getState().testPath ?? '', url, recorded: [...recorded.values()] });
  return true;
});
