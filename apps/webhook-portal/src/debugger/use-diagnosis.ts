import { useEffect, useState } from 'react';
import { wallNow } from '../components/time/clock.ts';
import { diagnose, type Evidence } from './diagnosis/diagnose.ts';
import type { Finding } from './diagnosis/finding.ts';

export type Pasted = Omit<Evidence, 'now' | 'arrivedAt'> & { arrived: string };

/** The findings for what is pasted, worked out anew whenever it changes; null while empty. */
export function useDiagnosis(pasted: Pasted): Finding[] | null {
  const [findings, setFindings] = useState<Finding[] | null>(null);
  useEffect(() => {
    if (pasted.headers.trim() === '') return setFindings(null);
    let current = true;
    const { arrived, ...rest } = pasted;
    const arrivedAt = readInstant(arrived);
    void diagnose({ ...rest, arrivedAt, now: wallNow() }).then((found) => {
      if (current) setFindings(found);
    });
    return () => {
      current = false;
    };
  }, [pasted]);
  return findings;
}

/** Unix seconds or milliseconds, or whatever the browser reads as a date. */
function readInstant(text: string): number | null {
  const plain = text.trim();
  if (plain === '') return null;
  const number = Number(plain);
  if (Number.isFinite(number)) return number < 100_000_000_000 ? number * 1000 : number;
  const at = Date.parse(plain);
  return Number.isNaN(at) ? null : at;
}
