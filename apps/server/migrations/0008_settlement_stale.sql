-- From the day after this one on an open settlement is stale: three banking days after debit_by.
-- Those that exist get the calendar days that are sure to hold three.
alter table settlement add column stale_after date;
update settlement set stale_after = debit_by + 6;
alter table settlement alter column stale_after set not null;
