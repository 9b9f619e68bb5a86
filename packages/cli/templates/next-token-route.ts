import { createTenantToken, currentTenant } from '../../../../lib/svc';

/** On click: a tenant token, with which the page opens the experience. */
export async function POST(): Promise<Response> {
  const token = await createTenantToken(await currentTenant());
  return Response.json({ token });
}
