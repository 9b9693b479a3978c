CREATE TABLE products (
  id    bigint PRIMARY KEY,
  title text NOT NULL
);

CREATE TABLE customers (
  id     bigint PRIMARY KEY,
  number text NOT NULL UNIQUE, -- the customer number, on letters and invoices
  email  text NOT NULL UNIQUE,
  name   text NOT NULL,
  phone  text
);

CREATE TABLE orders (
  id          bigint PRIMARY KEY,
  customer_id bigint NOT NULL REFERENCES customers,
  ship_to     text,
  total       numeric(10, 2) NOT NULL
);

CREATE TABLE order_items (
  order_id   bigint NOT NULL REFERENCES orders,
  product_id bigint NOT NULL REFERENCES products,
  quantity   int NOT NULL,
  PRIMARY KEY (order_id, product_id)
);

CREATE TABLE invoices (
  id        bigint PRIMARY KEY,
  order_id  bigint NOT NULL REFERENCES orders,
  billed_to text NOT NULL
);

CREATE TABLE carts (
  id          bigint PRIMARY KEY,
  customer_id bigint NOT NULL REFERENCES customers
);

CREATE TABLE cart_items (
  id         bigint PRIMARY KEY,
  cart_id    bigint NOT NULL REFERENCES carts ON DELETE CASCADE,
  product_id bigint NOT NULL REFERENCES products
);

CREATE TABLE reviews (
  id          bigint PRIMARY KEY,
  product_id  bigint NOT NULL REFERENCES products,
  customer_id bigint NOT NULL REFERENCES customers,
  body        text NOT NULL
);

CREATE TABLE newsletter (
  email         text PRIMARY KEY,
  first_name    text,
  subscribed_at timestamptz NOT NULL DEFAULT now()
);

CREATE INDEX ON orders (customer_id);
CREATE INDEX ON invoices (order_id);
CREATE INDEX ON carts (customer_id);
CREATE INDEX ON cart_items (cart_id);
CREATE INDEX ON reviews (customer_id);
