CREATE TABLE order_batches (
    batch_id TEXT NOT NULL, environment TEXT NOT NULL, username TEXT NOT NULL, file_name TEXT NOT NULL,
    state TEXT NOT NULL, note TEXT NOT NULL, layout JSON NOT NULL, choices JSON NOT NULL, created_at DATETIME NOT NULL,
    CONSTRAINT pk_order_batches PRIMARY KEY (batch_id)
);
CREATE INDEX ix_order_batches_environment_username_created_at ON order_batches (environment, username, created_at);
CREATE TABLE batch_orders (
    batch_id TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, first_row INTEGER NOT NULL,
    order_id TEXT NOT NULL, state TEXT NOT NULL, source JSON, body JSON, result JSON,
    CONSTRAINT pk_batch_orders PRIMARY KEY (batch_id, number),
    CONSTRAINT fk_batch_orders_order_batches FOREIGN KEY(batch_id) REFERENCES order_batches (batch_id)
);
CREATE INDEX ix_batch_orders_batch_id_state_number ON batch_orders (batch_id, state, number);
UPDATE alembic_version SET version_num='0002' WHERE alembic_version.version_num = '0001';
