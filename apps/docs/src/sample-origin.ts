/**
 * The origin in all samples. The service that shows the pages replaces it with its own, so nothing
 * else may contain it.
 */
export const sampleOrigin = 'http://localhost:4000';
