import { Outlet, useMatch } from '@tanstack/react-router';
import { MessageList } from './message-list.tsx';
import './messages.css';

/** The list, and beside it the open message; on a narrow screen one or the other. */
export function MessagesPage() {
  const open = useMatch({ from: '/messages/$messageId', shouldThrow: false });
  return (
    <div className="split" data-open={open !== undefined}>
      <div className="split__list">
        <MessageList />
      </div>
      {open ? (
        <div className="split__detail" key={open.params.messageId}>
          <Outlet />
        </div>
      ) : null}
    </div>
  );
}
