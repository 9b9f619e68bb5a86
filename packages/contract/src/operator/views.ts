import { z } from 'zod';

/**
 * The address of a list in the console that can be saved, with its filters. It must not be a tenant's page,
 * because a portal may use e-mail addresses as ids, and must not contain what a person searched for.
 */
const viewAddress = z
  .string()
  .max(300)
  .regex(/^\/[a-z0-9_/-]*(\?(?:[\w.,:=&+-]|%2C|%3A)*)?$/, {
    error: 'must be the path and the filters of a list, such as /queues/settlements?snoozed=true',
  })
  .refine((address) => !address.startsWith('/tenants'), { error: 'must not be about a tenant' })
  .refine((address) => !/[?&](q|query|search|text)=|\d{7}/.test(address), {
    error: 'must not have what you searched for',
  });

export const saveViewInput = z.strictObject({
  name: z.string().trim().min(1).max(60),
  address: viewAddress,
});

export const savedView = z.object({ id: z.string(), name: z.string(), address: z.string() });
export type SavedView = z.infer<typeof savedView>;

export const savedViewsOutput = z.object({ items: z.array(savedView).describe('By name.') });
