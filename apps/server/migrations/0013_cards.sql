-- Cards beside bank accounts. What people see of either is kept in parts, to be said in their words.

alter table payment_method drop constraint payment_method_type_check;
alter table payment_method
  add check (type in ('bank_account', 'card')),
  add brand text check (brand in ('visa', 'mastercard')),
  add last4 text check (last4 ~ '^\d{4}$'),
  add check ((type = 'card') = (brand is not null));
update payment_method set last4 = right(label, 4);
alter table payment_method
  alter last4 set not null,
  drop column label;
