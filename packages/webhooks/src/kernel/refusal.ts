export type RefusalCode =
  | 'endpoint_not_found'
  | 'message_not_found'
  | 'message_in_use'
  | 'message_expunged'
  | 'replay_not_found'
  | 'replay_over'
  | 'invalid_window'
  | 'endpoint_disabled'
  | 'too_many_endpoints'
  | 'too_many_secrets'
  | 'no_signing_key'
  | 'invalid_url'
  | 'url_userinfo'
  | 'insecure_url'
  | 'blocked_port'
  | 'blocked_address'
  | 'invalid_event_types'
  | 'invalid_channels'
  | 'invalid_uid'
  | 'uid_taken'
  | 'invalid_auth'
  | 'invalid_header'
  | 'reserved_header'
  | 'invalid_secret'
  | 'invalid_overlap'
  | 'invalid_description'
  | 'invalid_throttle'
  | 'invalid_filter'
  | 'invalid_metadata'
  | 'invalid_cursor'
  | 'engine_stopping';

/** The engine refuses a request. The message says what was wrong and what to do, and can be shown. */
export class EngineRefusal extends Error {
  override readonly name = 'EngineRefusal';
  readonly code: RefusalCode;
  /** The path of the invalid input field, such as `auth.name`, if there is one. */
  readonly param: string | undefined;

  constructor(code: RefusalCode, message: string, param?: string) {
    super(message);
    this.code = code;
    this.param = param;
  }
}

export function endpointNotFound(): EngineRefusal {
  return new EngineRefusal(
    'endpoint_not_found',
    'There is no endpoint with this id: list the endpoints to find it.',
  );
}

export function messageNotFound(): EngineRefusal {
  return new EngineRefusal(
    'message_not_found',
    'There is no message with this id: list the messages to find it.',
  );
}

export function messageExpunged(): EngineRefusal {
  return new EngineRefusal(
    'message_expunged',
    'The payload of this message was expunged: there is nothing left to send.',
  );
}

export function replayNotFound(): EngineRefusal {
  return new EngineRefusal(
    'replay_not_found',
    'There is no replay with this id: list the replays to find it.',
  );
}

export function endpointDisabled(): EngineRefusal {
  return new EngineRefusal('endpoint_disabled', 'The endpoint is disabled: enable it first.');
}
