export { type EndpointHealth, listEndpointHealth } from './activity/endpoint-health.ts';
export {
  type Activity,
  type ActivityBucket,
  type ActivityQuery,
  listActivity,
} from './activity/list-activity.ts';
export { type Backlog, measureBacklog } from './activity/measure-backlog.ts';
export { checkUrl } from './addresses/address-guard.ts';
export { parseNetwork } from './addresses/networks.ts';
export type { Probed, ProbeOptions } from './delivery/attempts.ts';
export { createEndpoint, type EndpointInput } from './endpoints/create-endpoint.ts';
export type { Credentials } from './endpoints/credentials.ts';
export { deleteEndpoint } from './endpoints/delete-endpoint.ts';
export { hasOtherSubscriber } from './endpoints/has-other-subscriber.ts';
export type { FilterCondition, PayloadFilter } from './endpoints/payload-filter.ts';
export { type SealedColumn, sealedColumns } from './endpoints/sealed-columns.ts';
export {
  type RotateInput,
  revealSecret,
  rotateSecret,
  type SecretView,
} from './endpoints/secrets.ts';
export { listPublicKeys, type PublicKey, rotateSigningKey } from './endpoints/signing-keys.ts';
export { endpointIdOf } from './endpoints/uid.ts';
export { type EndpointChange, updateEndpoint } from './endpoints/update-endpoint.ts';
export { type EndpointView, getEndpoint, listEndpoints } from './endpoints/view-endpoint.ts';
export { createEngine, type Engine, type EngineStats } from './engine.ts';
export type {
  AddressPolicy,
  AttemptObserver,
  EgressProxy,
  EngineDeps,
  Network,
  ObservedAttempt,
  OperationalEvent,
  RunningAttempt,
  TestMessage,
} from './kernel/engine-deps.ts';
export { newId } from './kernel/ids.ts';
export { limits } from './kernel/limits.ts';
export { EngineRefusal, type RefusalCode } from './kernel/refusal.ts';
export {
  newSecret,
  parseSecret,
  type Signed,
  signatureHeaders,
  signatureOf,
} from './kernel/signature.ts';
export { type StatusClass, statusClasses } from './kernel/status-class.ts';
export { defaultTuning, type Tuning } from './kernel/tuning.ts';
export { readDeliveryMilestones } from './messages/delivery-milestones.ts';
export { type ExpungeInput, expungeMessage } from './messages/expunge-message.ts';
export { type AttemptQuery, findAttempts } from './messages/find-attempts.ts';
export { listAnswers } from './messages/list-answers.ts';
export { listAttempts } from './messages/list-attempts.ts';
export {
  type DeliveryAttemptView,
  type DeliveryQuery,
  listDeliveries,
} from './messages/list-deliveries.ts';
export { type FeedPage, listEvents, listSubjectEvents } from './messages/list-events.ts';
export {
  getMessage,
  listMessages,
  type MessageDetail,
  type MessageQuery,
  type Page,
  type SearchedPage,
} from './messages/list-messages.ts';
export { type FilterPreview, mostPreviewed, previewFilter } from './messages/preview-filter.ts';
export type { MessageFilter } from './messages/select-messages.ts';
export type { AttemptView } from './messages/view-attempt.ts';
export type { DeliveryState, DeliveryView, MessageView } from './messages/view-message.ts';
export { createPartitions } from './partitions/create-partitions.ts';
export { dropExpired } from './partitions/drop-partitions.ts';
export { publish } from './publishing/publish.ts';
export { type NewMessage, storeMessages } from './publishing/store-messages.ts';
export { controlReplay } from './replay/control-replay.ts';
export { createReplay, previewReplay, type ReplayInput } from './replay/create-replay.ts';
export { replayMessage } from './replay/replay-message.ts';
export type { ReplayedState } from './replay/select-replayed.ts';
export {
  getReplay,
  listReplays,
  type ReplayQuery,
  type ReplayView,
} from './replay/view-replay.ts';
export { describeAttempt, type ErrorClass } from './sending/describe-attempt.ts';
export { parseEgressProxy } from './sending/egress-proxy.ts';
export type { Outcome } from './sending/send.ts';
