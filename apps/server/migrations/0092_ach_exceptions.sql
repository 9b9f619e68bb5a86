-- An entry in a file of the bank that could not be applied. The rest of the file is, and a person deals with
-- the entry: see docs/operate/ach.md.
-- oldest-service: 0.2.0
create table ach_exception (
  file_id text not null references ach_file,
  -- its place among those of the file
  number integer not null,
  -- in the file, from 1
  line integer not null,
  reason text not null,
  -- the last 7 digits of the trace number of our entry, if that much could be read. Until the exception is
  -- resolved, that entry does not succeed.
  trace_number integer,
  created_at timestamptz not null,
  resolved_at timestamptz,
  primary key (file_id, number)
);
create index ach_exception_open on ach_exception (trace_number) where resolved_at is null;
