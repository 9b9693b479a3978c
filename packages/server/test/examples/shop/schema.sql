CREATE TABLE products (
  id    integer PRIMARY KEY,
  title varchar(200) NOT NULL
);

CREATE TABLE customers (
  id     integer PRIMARY KEY,
  number varchar(200) NOT NULL UNIQUE, -- the customer number, on letters and invoices
  email  varchar(200) NOT NULL UNIQUE,
  name   varchar(200) NOT NULL,
  phone  varchar(200)
);

CREATE TABLE orders (
  id          integer PRIMARY KEY,
  customer_id integer NOT NULL REFERENCES customers (id),
  ship_to     varchar(200),
  total       integer NOT NULL -- cents
);

CREATE TABLE order_items (
  order_id   integer NOT NULL REFERENCES orders (id),
  product_id integer NOT NULL REFERENCES products (id),
  quantity   integer NOT NULL,
  PRIMARY KEY (order_id, product_id)
);

CREATE TABLE invoices (
  id        integer PRIMARY KEY,
  order_id  integer NOT NULL REFERENCES orders (id),
  billed_to varchar(200) NOT NULL
);

CREATE TABLE carts (
  id          integer PRIMARY KEY,
  customer_id integer NOT NULL REFERENCES customers (id)
);

CREATE TABLE cart_items (
  id         integer PRIMARY KEY,
  cart_id    integer NOT NULL REFERENCES carts (id) ON DELETE CASCADE,
  product_id integer NOT NULL REFERENCES products (id)
);

CREATE TABLE reviews (
  id          integer PRIMARY KEY,
  product_id  integer NOT NULL REFERENCES products (id),
  customer_id integer NOT NULL REFERENCES customers (id),
  body        varchar(200) NOT NULL
);

CREATE TABLE newsletter (
  email      varchar(200) PRIMARY KEY,
  first_name varchar(200)
);

CREATE INDEX orders_customer_id ON orders (customer_id);
CREATE INDEX invoices_order_id ON invoices (order_id);
CREATE INDEX carts_customer_id ON carts (customer_id);
CREATE INDEX cart_items_cart_id ON cart_items (cart_id);
CREATE INDEX reviews_customer_id ON reviews (customer_id);
