-- A statement of an open day can be replaced by a corrected one; see src/domain/books/replace-statement.ts.
-- oldest-service: 0.2.0
-- contract: replaces triggers by ones that refuse the same, except for the statement that a transaction names
drop trigger bank_statement_append_only on bank_statement;
create trigger bank_statement_no_edit before update on bank_statement
  for each row execute function books_refuse_change();

-- Only the statement that the transaction names as replaced is deleted, and none of a closed day.
create function books_check_statement_removal() returns trigger language plpgsql as $$
begin
  if old.id = current_setting('svc.replaced_statement', true) and not exists (
    select from book_seal c where c.action = 'close' and c.day >= old.from_day
      and not exists (select from book_seal r
        where r.day = c.day and r.action = 'reopen' and r.number > c.number)) then
    return old;
  end if;
  raise exception 'bank_statement cannot be changed';
end $$;
create trigger bank_statement_no_delete before delete on bank_statement
  for each row execute function books_check_statement_removal();

create function books_check_line_removal() returns trigger language plpgsql as $$
begin
  if old.statement_id = current_setting('svc.replaced_statement', true) and old.match_id is null then
    return old;
  end if;
  raise exception 'bank_line cannot be changed';
end $$;
drop trigger bank_line_no_delete on bank_line;
create trigger bank_line_no_delete before delete on bank_line
  for each row execute function books_check_line_removal();
