CREATE SCHEMA raw;
CREATE SCHEMA marts;

-- Loaded every night. No keys, no constraints.
CREATE TABLE raw.page_views (
  seen_at       timestamptz,
  visitor_email text,
  url           text
);

CREATE TABLE marts.sales (
  sold_on     date,
  buyer_email text,
  buyer_name  text,
  product     text,
  amount      numeric(10, 2)
);

CREATE INDEX ON raw.page_views (lower(visitor_email));
CREATE INDEX ON marts.sales (buyer_email);
