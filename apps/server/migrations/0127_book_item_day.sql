-- The newest day of the books, which is today in the sandbox: each page of the books and of the work queues reads it.
-- oldest-service: 0.2.0
-- no-transaction
create index concurrently book_item_day on book_item (day);
