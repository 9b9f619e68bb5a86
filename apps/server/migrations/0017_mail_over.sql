-- Mails that are over are forgotten by age: those that still wait need not be read for it.
drop index mail_created;
create index mail_over on mail (created_at) where due_at is null;
