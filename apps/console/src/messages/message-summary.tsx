import { CopyButton } from '@svc/ui/console/parts/copy-button.tsx';
import { visibleText } from '@svc/ui/console/text/visible-text.ts';
import { useNow } from '@svc/ui/console/time/clock.ts';
import { exactTime } from '@svc/ui/console/time/format-time.ts';
import { Link } from '@tanstack/react-router';
import type { MessageDetail } from '../api/messages.ts';
import { describeDeliveries } from '../deliveries/delivery-state.ts';

/** The message's type, delivery status in a sentence, and metadata. */
export function MessageHead({ message }: { message: MessageDetail }) {
  const now = useNow(1000);
  return (
    <header className="detail__head">
      <title>{`${message.event_type} · Console`}</title>
      <h1 className="detail__title">
        {message.event_type}
        {message.custom ? <span className="tag">custom</span> : null}
        {message.test ? <span className="tag">test</span> : null}
        {message.expunged_at === null ? null : <span className="tag">payload erased</span>}
      </h1>
      <p className="detail__summary">
        {message.test
          ? 'A test send. It is marked as a test and does not count in statistics.'
          : describeDeliveries(message.deliveries, now)}
      </p>
      <dl className="message__facts">
        <div>
          <dt>ID</dt>
          <dd>
            <code>{message.id}</code>
            <CopyButton text={message.id} label="Copy message ID" />
          </dd>
        </div>
        <div>
          <dt>Published</dt>
          <dd>{exactTime(message.created_at)}</dd>
        </div>
        {message.external_id === null ? null : (
          <div>
            <dt>Tenant</dt>
            <dd>
              <Link
                to="/messages"
                search={{ external_id: message.external_id }}
                className="svc-link"
              >
                {visibleText(message.external_id)}
              </Link>
            </dd>
          </div>
        )}
        {message.channels === null ? null : (
          <div>
            <dt>{message.channels.length === 1 ? 'Channel' : 'Channels'}</dt>
            <dd className="message__channels">
              {message.channels.map((channel) => (
                <Link key={channel} to="/messages" search={{ channel }} className="svc-link">
                  {channel}
                </Link>
              ))}
            </dd>
          </div>
        )}
      </dl>
    </header>
  );
}
