export interface Finding {
  part: 'Headers' | 'Secret' | 'Clock' | 'Body' | 'Signature' | 'Your code';
  verdict: 'right' | 'wrong' | 'unknown';
  words: string;
}
