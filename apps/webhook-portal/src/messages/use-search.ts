import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { MessagesPage } from '../api/messages.ts';

interface Messages {
  readonly data: { readonly pages: readonly MessagesPage[] } | undefined;
  readonly hasNextPage: boolean;
  readonly isFetching: boolean;
  readonly isFetchNextPageError: boolean;
  fetchNextPage(): Promise<unknown>;
}

export interface Search {
  /**
   * `searching`: older messages are being looked through. `canceled`, `failed`: that stopped before
   * enough were found. `idle`: enough rows are shown, or there are no older messages.
   */
  readonly state: 'searching' | 'canceled' | 'failed' | 'idle';
  /** Everything newer was looked through. */
  readonly reached: string | null;
  readonly cancel: () => void;
  /** Goes on after `cancel` or a failure. */
  readonly resume: () => void;
  /** Shows as many more. */
  readonly more: () => void;
}

const rowsAtOnce = 50;

/**
 * The service looks through a limited number of messages for each page, so a page can be short and
 * have a next one. This asks for the next page until enough rows are found.
 */
export function useSearch(messages: Messages, queryKey: readonly unknown[]): Search {
  const client = useQueryClient();
  const [wanted, setWanted] = useState(rowsAtOnce);
  const [canceled, setCanceled] = useState(false);
  const { data, hasNextPage, isFetching, isFetchNextPageError: failed, fetchNextPage } = messages;
  const last = data?.pages.at(-1);
  const found = data?.pages.reduce((sum, page) => sum + page.items.length, 0) ?? 0;
  const unfinished = last?.searched_back_to != null && hasNextPage && found < wanted;
  const searching = unfinished && !canceled && !failed;
  useEffect(() => {
    if (searching && !isFetching) void fetchNextPage();
  }, [searching, isFetching, fetchNextPage]);
  return {
    state: stateOf(unfinished, canceled, failed),
    reached: last?.searched_back_to ?? last?.items.at(-1)?.created_at ?? null,
    cancel() {
      setCanceled(true);
      void client.cancelQueries({ queryKey });
    },
    resume() {
      setCanceled(false);
      void fetchNextPage();
    },
    more() {
      setWanted(found + rowsAtOnce);
      setCanceled(false);
      void fetchNextPage();
    },
  };
}

function stateOf(unfinished: boolean, canceled: boolean, failed: boolean): Search['state'] {
  if (!unfinished) return 'idle';
  if (canceled) return 'canceled';
  return failed ? 'failed' : 'searching';
}
