import { endpointIdOf } from '@svc/webhooks';
import type { Ctx } from '../../context.ts';
import type { PartnerActor } from '../../domain/access/actor.ts';

/** The same input with the endpoint's id where its uid was given. */
export async function withEndpoint<Input extends { endpoint_id?: string | undefined }>(
  { tx, actor }: Ctx<PartnerActor>,
  input: Input,
): Promise<Input> {
  const { endpoint_id } = input;
  if (endpoint_id === undefined) return input;
  return { ...input, endpoint_id: await endpointIdOf(tx, actor.partnerId, endpoint_id) };
}
