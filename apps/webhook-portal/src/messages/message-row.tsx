import { Link } from '@tanstack/react-router';
import type { Message, MessageFilters } from '../api/messages.ts';
import { StateMark } from '../components/state-mark.tsx';
import { Ago } from '../components/time/time.tsx';
import { visibleText } from '../components/visible-text.ts';
import { markDeliveries } from '../deliveries/summarize-deliveries.ts';

/** One line, and the whole line is the link. */
export function MessageRow({ message, filters }: { message: Message; filters: MessageFilters }) {
  const { tone, word } = markDeliveries(message.deliveries);
  return (
    <li>
      <Link
        to="/messages/$messageId"
        params={{ messageId: message.id }}
        search={filters as Record<string, never>}
        className="row message-row"
        data-row
      >
        <StateMark tone={tone}>{word}</StateMark>
        <span className="message-row__type">
          {message.event_type}
          {message.custom ? <span className="tag">custom</span> : null}
          {message.test ? <span className="tag">test</span> : null}
        </span>
        <span className="message-row__tenant">{visibleText(message.external_id ?? '')}</span>
        <span className="row__time">
          <Ago at={message.created_at} />
        </span>
      </Link>
    </li>
  );
}
