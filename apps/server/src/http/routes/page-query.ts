import { z } from 'zod';

/** Query of a list without filters. */
export const pageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(100),
  cursor: z.string().min(1).max(300).optional(),
});
