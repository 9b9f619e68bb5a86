-- Lets the operator's console find tenants by name, e-mail address and phone number, which stay encrypted.
-- oldest-service: 0.2.0
-- Shortened HMACs, by a key derived from SVC_SECRET_KEY. Null before the first report and once erased.
alter table tenant add column search_hashes integer[];
