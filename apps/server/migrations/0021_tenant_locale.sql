-- The languages are listed in packages/contract/src/locales.ts, and every write is validated against
-- that list. A second list here would need a migration for each new language.
alter table tenant drop constraint tenant_locale_check;
