import type { Clock } from '../src/clock.ts';
export interface TestClock extends Clock {
    /** Moves the time forward by `ms` and runs once each timer that became due. */
    advance(ms: number): void;
}
export declare function createTestClock(start: string): TestClock;
