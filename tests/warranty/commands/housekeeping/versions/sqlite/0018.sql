CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	PRIMARY KEY (version_num)
);

INSERT INTO alembic_version (version_num) VALUES ('0018');

CREATE TABLE leases (
	name TEXT NOT NULL,
	holder TEXT NOT NULL,
	until DATETIME NOT NULL,
	CONSTRAINT pk_leases PRIMARY KEY (name)
);

CREATE TABLE paces (
	name TEXT NOT NULL,
	next_start DATETIME NOT NULL,
	CONSTRAINT pk_paces PRIMARY KEY (name)
);

CREATE TABLE retry_budgets (
	name TEXT NOT NULL,
	tokens FLOAT NOT NULL,
	changed_at DATETIME NOT NULL,
	CONSTRAINT pk_retry_budgets PRIMARY KEY (name)
);

CREATE TABLE preferences (
	username TEXT NOT NULL,
	name TEXT NOT NULL,
	value JSON NOT NULL,
	CONSTRAINT pk_preferences PRIMARY KEY (username, name)
);

CREATE TABLE attempts (
	attempt_id TEXT NOT NULL,
	environment TEXT NOT NULL,
	draft_id TEXT NOT NULL,
	revision INTEGER NOT NULL,
	operation TEXT NOT NULL,
	username TEXT NOT NULL,
	operator_name TEXT NOT NULL,
	screen TEXT NOT NULL,
	order_id TEXT NOT NULL,
	items JSON NOT NULL,
	search_text TEXT NOT NULL,
	started_at DATETIME NOT NULL,
	deadline DATETIME NOT NULL,
	acknowledged JSON,
	customer_mark TEXT,
	store_id TEXT DEFAULT 'main' NOT NULL,
	till_id TEXT DEFAULT '' NOT NULL,
	switched_by TEXT DEFAULT '' NOT NULL,
	sold_by TEXT DEFAULT '' NOT NULL,
	sold_by_name TEXT DEFAULT '' NOT NULL,
	CONSTRAINT pk_attempts PRIMARY KEY (attempt_id),
	CONSTRAINT uq_attempts_environment_draft_id_revision UNIQUE (environment, draft_id, revision)
);

CREATE TABLE drafts (
	environment TEXT NOT NULL,
	username TEXT NOT NULL,
	screen TEXT NOT NULL,
	draft_id TEXT NOT NULL,
	content JSON NOT NULL,
	updated_at DATETIME NOT NULL,
	store_id TEXT DEFAULT 'main' NOT NULL,
	till_id TEXT DEFAULT '' NOT NULL,
	CONSTRAINT pk_drafts PRIMARY KEY (environment, username, screen, draft_id)
);

CREATE TABLE order_batches (
	batch_id TEXT NOT NULL,
	environment TEXT NOT NULL,
	username TEXT NOT NULL,
	file_name TEXT NOT NULL,
	state TEXT NOT NULL,
	note TEXT NOT NULL,
	layout JSON NOT NULL,
	choices JSON NOT NULL,
	created_at DATETIME NOT NULL,
	store_id TEXT DEFAULT 'main' NOT NULL,
	till_id TEXT DEFAULT '' NOT NULL,
	CONSTRAINT pk_order_batches PRIMARY KEY (batch_id)
);

CREATE TABLE audit (
	number INTEGER NOT NULL,
	recorded_at DATETIME NOT NULL,
	environment TEXT NOT NULL,
	kind TEXT NOT NULL,
	username TEXT NOT NULL,
	role TEXT NOT NULL,
	address TEXT NOT NULL,
	till TEXT NOT NULL,
	store TEXT NOT NULL,
	details TEXT NOT NULL,
	sealed_with TEXT NOT NULL,
	"before" TEXT NOT NULL,
	seal TEXT NOT NULL,
	CONSTRAINT pk_audit PRIMARY KEY (number)
);

CREATE TABLE audit_ends (
	name TEXT NOT NULL,
	number INTEGER NOT NULL,
	seal TEXT NOT NULL,
	sealed_with TEXT NOT NULL,
	mark TEXT NOT NULL,
	CONSTRAINT pk_audit_ends PRIMARY KEY (name)
);

CREATE TABLE audit_subjects (
	found_by TEXT NOT NULL,
	secret TEXT NOT NULL,
	CONSTRAINT pk_audit_subjects PRIMARY KEY (found_by)
);

CREATE TABLE shop_files (
	name TEXT NOT NULL,
	content BLOB NOT NULL,
	file_name TEXT NOT NULL,
	username TEXT NOT NULL,
	changed_at DATETIME NOT NULL,
	CONSTRAINT pk_shop_files PRIMARY KEY (name)
);

CREATE TABLE time_notes (
	note_id TEXT NOT NULL,
	environment TEXT NOT NULL,
	first_day TEXT NOT NULL,
	last_day TEXT NOT NULL,
	kind TEXT NOT NULL,
	words TEXT NOT NULL,
	username TEXT NOT NULL,
	operator_name TEXT NOT NULL,
	created_at DATETIME NOT NULL,
	CONSTRAINT pk_time_notes PRIMARY KEY (note_id)
);

CREATE TABLE forecasts (
	environment TEXT NOT NULL,
	as_of TEXT NOT NULL,
	product TEXT NOT NULL,
	month TEXT NOT NULL,
	expected FLOAT NOT NULL,
	low_80 FLOAT NOT NULL,
	high_80 FLOAT NOT NULL,
	low_95 FLOAT NOT NULL,
	high_95 FLOAT NOT NULL,
	came INTEGER,
	CONSTRAINT pk_forecasts PRIMARY KEY (environment, as_of, product, month)
);

CREATE TABLE plans_sold (
	environment TEXT NOT NULL,
	month TEXT NOT NULL,
	product TEXT NOT NULL,
	plans INTEGER NOT NULL,
	file_name TEXT NOT NULL,
	username TEXT NOT NULL,
	imported_at DATETIME NOT NULL,
	CONSTRAINT pk_plans_sold PRIMARY KEY (environment, month, product)
);

CREATE TABLE accounts (
	username TEXT NOT NULL,
	name TEXT NOT NULL,
	role TEXT NOT NULL,
	password_hash TEXT NOT NULL,
	changed_at DATETIME NOT NULL,
	home_store TEXT DEFAULT '' NOT NULL,
	locked BOOLEAN DEFAULT 0 NOT NULL,
	one_time_until DATETIME,
	issuer TEXT DEFAULT '' NOT NULL,
	subject TEXT DEFAULT '' NOT NULL,
	proven_at DATETIME,
	CONSTRAINT pk_accounts PRIMARY KEY (username)
);

CREATE TABLE sign_ins (
	username TEXT NOT NULL,
	began_at DATETIME NOT NULL,
	worked_at DATETIME NOT NULL,
	second_factor_at DATETIME,
	CONSTRAINT pk_sign_ins PRIMARY KEY (username, began_at)
);

CREATE TABLE sign_in_tries (
	"key" TEXT NOT NULL,
	failures INTEGER NOT NULL,
	blocked_until DATETIME NOT NULL,
	CONSTRAINT pk_sign_in_tries PRIMARY KEY ("key")
);

CREATE TABLE second_factors (
	username TEXT NOT NULL,
	secret TEXT NOT NULL,
	last_step INTEGER NOT NULL,
	set_up_at DATETIME NOT NULL,
	CONSTRAINT pk_second_factors PRIMARY KEY (username)
);

CREATE TABLE recovery_codes (
	username TEXT NOT NULL,
	code_hash TEXT NOT NULL,
	CONSTRAINT pk_recovery_codes PRIMARY KEY (username, code_hash)
);

CREATE TABLE cookie_tickets (
	ticket_hash TEXT NOT NULL,
	sealed TEXT NOT NULL,
	until DATETIME NOT NULL,
	CONSTRAINT pk_cookie_tickets PRIMARY KEY (ticket_hash)
);

CREATE TABLE stores (
	store_id TEXT NOT NULL,
	name TEXT NOT NULL,
	time_zone TEXT NOT NULL,
	CONSTRAINT pk_stores PRIMARY KEY (store_id)
);

CREATE TABLE till_tries (
	till_id TEXT NOT NULL,
	username TEXT NOT NULL,
	tries INTEGER NOT NULL,
	last_at DATETIME NOT NULL,
	CONSTRAINT pk_till_tries PRIMARY KEY (till_id, username)
);

CREATE TABLE pins (
	username TEXT NOT NULL,
	pin_hash TEXT NOT NULL,
	digits INTEGER NOT NULL,
	set_at DATETIME NOT NULL,
	CONSTRAINT pk_pins PRIMARY KEY (username)
);

CREATE TABLE badges (
	username TEXT NOT NULL,
	code_hash TEXT NOT NULL,
	issued_by TEXT NOT NULL,
	issued_at DATETIME NOT NULL,
	CONSTRAINT pk_badges PRIMARY KEY (username),
	CONSTRAINT uq_badges_code_hash UNIQUE (code_hash)
);

CREATE TABLE customer_screens (
	device TEXT NOT NULL,
	environment TEXT NOT NULL,
	address TEXT NOT NULL,
	username TEXT NOT NULL,
	till_id TEXT DEFAULT '' NOT NULL,
	till_since DATETIME,
	code TEXT,
	changed_at DATETIME NOT NULL,
	shown JSON,
	shown_at DATETIME,
	CONSTRAINT pk_customer_screens PRIMARY KEY (device),
	CONSTRAINT uq_customer_screens_code UNIQUE (code)
);

CREATE TABLE alerts (
	alert_id TEXT NOT NULL,
	environment TEXT NOT NULL,
	"key" TEXT NOT NULL,
	kind TEXT NOT NULL,
	words TEXT NOT NULL,
	raised_at DATETIME NOT NULL,
	message_id TEXT NOT NULL,
	over_at DATETIME,
	CONSTRAINT pk_alerts PRIMARY KEY (alert_id)
);

CREATE TABLE alert_messages (
	message_id TEXT NOT NULL,
	way TEXT NOT NULL,
	environment TEXT NOT NULL,
	raised_at DATETIME NOT NULL,
	sent_at DATETIME,
	CONSTRAINT pk_alert_messages PRIMARY KEY (message_id, way)
);

CREATE TABLE drift (
	environment TEXT NOT NULL,
	operation TEXT NOT NULL,
	kind TEXT NOT NULL,
	what TEXT NOT NULL,
	first_seen DATETIME NOT NULL,
	last_seen DATETIME NOT NULL,
	times INTEGER NOT NULL,
	CONSTRAINT pk_drift PRIMARY KEY (environment, operation, kind, what)
);

CREATE TABLE outcomes (
	attempt_id TEXT NOT NULL,
	number INTEGER NOT NULL,
	state TEXT NOT NULL,
	recorded_at DATETIME NOT NULL,
	deadline DATETIME,
	landing_url TEXT,
	warrantable_products BOOLEAN,
	already_known BOOLEAN,
	returned_id TEXT,
	failure JSON,
	settlement JSON,
	CONSTRAINT pk_outcomes PRIMARY KEY (attempt_id, number),
	CONSTRAINT fk_outcomes_attempts FOREIGN KEY(attempt_id) REFERENCES attempts (attempt_id)
);

CREATE TABLE unsettled (
	attempt_id TEXT NOT NULL,
	body JSON,
	CONSTRAINT pk_unsettled PRIMARY KEY (attempt_id),
	CONSTRAINT fk_unsettled_attempts FOREIGN KEY(attempt_id) REFERENCES attempts (attempt_id)
);

CREATE TABLE came_back (
	attempt_id TEXT NOT NULL,
	CONSTRAINT pk_came_back PRIMARY KEY (attempt_id),
	CONSTRAINT fk_came_back_attempts FOREIGN KEY(attempt_id) REFERENCES attempts (attempt_id)
);

CREATE TABLE batch_orders (
	batch_id TEXT NOT NULL,
	number INTEGER NOT NULL,
	name TEXT NOT NULL,
	first_row INTEGER NOT NULL,
	order_id TEXT NOT NULL,
	state TEXT NOT NULL,
	source JSON,
	body JSON,
	result JSON,
	CONSTRAINT pk_batch_orders PRIMARY KEY (batch_id, number),
	CONSTRAINT fk_batch_orders_order_batches FOREIGN KEY(batch_id) REFERENCES order_batches (batch_id)
);

CREATE TABLE links_shown (
	attempt_id TEXT NOT NULL,
	username TEXT NOT NULL,
	operator_name TEXT NOT NULL,
	shown_at DATETIME NOT NULL,
	declined_at DATETIME,
	CONSTRAINT pk_links_shown PRIMARY KEY (attempt_id, username),
	CONSTRAINT fk_links_shown_attempts FOREIGN KEY(attempt_id) REFERENCES attempts (attempt_id)
);

CREATE TABLE tills (
	till_id TEXT NOT NULL,
	store_id TEXT NOT NULL,
	key_hash TEXT NOT NULL,
	environment TEXT NOT NULL,
	name TEXT NOT NULL,
	registered_by TEXT NOT NULL,
	username TEXT NOT NULL,
	switched_by TEXT NOT NULL,
	registered_at DATETIME NOT NULL,
	revoked_at DATETIME,
	since DATETIME,
	pad_locked_at DATETIME,
	CONSTRAINT pk_tills PRIMARY KEY (till_id),
	CONSTRAINT fk_tills_stores FOREIGN KEY(store_id) REFERENCES stores (store_id),
	CONSTRAINT uq_tills_key_hash UNIQUE (key_hash)
);

CREATE INDEX ix_attempts_order_id ON attempts (order_id);

CREATE INDEX ix_attempts_environment_started_at ON attempts (environment, started_at);

CREATE INDEX ix_attempts_environment_username_started_at ON attempts (environment, username, started_at);

CREATE INDEX ix_drafts_draft_id ON drafts (draft_id);

CREATE INDEX ix_order_batches_environment_username_created_at ON order_batches (environment, username, created_at);

CREATE INDEX ix_audit_recorded_at ON audit (recorded_at);

CREATE INDEX ix_time_notes_environment_first_day ON time_notes (environment, first_day);

CREATE INDEX ix_alerts_message_id ON alerts (message_id);

CREATE UNIQUE INDEX uq_alerts_standing ON alerts (environment, "key") WHERE over_at IS NULL;

CREATE INDEX ix_alert_messages_environment_sent_at ON alert_messages (environment, sent_at);

CREATE INDEX ix_batch_orders_batch_id_state_number ON batch_orders (batch_id, state, number);

CREATE INDEX ix_links_shown_shown_at ON links_shown (shown_at);

CREATE TRIGGER attempts_are_never_changed BEFORE UPDATE ON attempts BEGIN SELECT RAISE(ABORT, 'attempts are never changed'); END;

CREATE TRIGGER audit_are_never_changed BEFORE UPDATE ON audit BEGIN SELECT RAISE(ABORT, 'audit are never changed'); END;

CREATE TRIGGER outcomes_are_never_changed BEFORE UPDATE ON outcomes BEGIN SELECT RAISE(ABORT, 'outcomes are never changed'); END
