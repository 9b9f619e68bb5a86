-- The brand of a partner: accent, radius, font, theme, logo. Shown in the experience, mails and documents.
-- oldest-service: 0.2.0

create table partner_appearance (
  partner_id text primary key references partner (id),
  accent text check (accent ~ '^#[0-9a-f]{6}$'),
  -- in px
  radius integer check (radius between 0 and 24),
  -- a name of fontStacks in packages/contract/src/appearance.ts
  font text,
  theme text not null check (theme in ('light', 'dark', 'auto')),
  updated_at timestamptz not null
);

-- Logos and fonts. Replaced ones stay for a while, because mails that were sent show them.
create table partner_file (
  partner_id text not null references partner (id),
  kind text not null check (kind in ('logo', 'font')),
  sha256 bytea not null check (octet_length(sha256) = 32),
  bytes bytea not null check (octet_length(bytes) between 1 and 204800),
  -- of a logo, in px
  width integer,
  height integer,
  -- null for the file in use
  replaced_at timestamptz,
  uploaded_at timestamptz not null,
  primary key (partner_id, kind, sha256),
  check ((kind = 'logo') = (width is not null and height is not null))
);
create unique index partner_file_in_use on partner_file (partner_id, kind) where replaced_at is null;
