CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL, CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
CREATE TABLE attempts (
    attempt_id TEXT NOT NULL, environment TEXT NOT NULL, draft_id TEXT NOT NULL, revision INTEGER NOT NULL,
    operation TEXT NOT NULL, username TEXT NOT NULL, operator_name TEXT NOT NULL, screen TEXT NOT NULL,
    order_id TEXT NOT NULL, items JSON NOT NULL, search_text TEXT NOT NULL, started_at DATETIME NOT NULL,
    deadline DATETIME NOT NULL, CONSTRAINT pk_attempts PRIMARY KEY (attempt_id),
    CONSTRAINT uq_attempts_environment_draft_id_revision UNIQUE (environment, draft_id, revision)
);
CREATE INDEX ix_attempts_environment_started_at ON attempts (environment, started_at);
CREATE INDEX ix_attempts_order_id ON attempts (order_id);
CREATE INDEX ix_attempts_environment_username_started_at ON attempts (environment, username, started_at);
CREATE TABLE outcomes (
    attempt_id TEXT NOT NULL, number INTEGER NOT NULL, state TEXT NOT NULL, recorded_at DATETIME NOT NULL,
    deadline DATETIME, landing_url TEXT, warrantable_products BOOLEAN, already_known BOOLEAN, returned_id TEXT,
    failure JSON, settlement JSON, CONSTRAINT pk_outcomes PRIMARY KEY (attempt_id, number),
    CONSTRAINT fk_outcomes_attempts FOREIGN KEY(attempt_id) REFERENCES attempts (attempt_id)
);
CREATE TABLE unsettled (
    attempt_id TEXT NOT NULL, body JSON, CONSTRAINT pk_unsettled PRIMARY KEY (attempt_id),
    CONSTRAINT fk_unsettled_attempts FOREIGN KEY(attempt_id) REFERENCES attempts (attempt_id)
);
CREATE TABLE drafts (
    environment TEXT NOT NULL, username TEXT NOT NULL, screen TEXT NOT NULL, draft_id TEXT NOT NULL,
    content JSON NOT NULL, updated_at DATETIME NOT NULL,
    CONSTRAINT pk_drafts PRIMARY KEY (environment, username, screen)
);
CREATE INDEX ix_drafts_draft_id ON drafts (draft_id);
CREATE TABLE preferences (
    username TEXT NOT NULL, name TEXT NOT NULL, value JSON NOT NULL,
    CONSTRAINT pk_preferences PRIMARY KEY (username, name)
);
CREATE TRIGGER attempts_are_never_changed BEFORE UPDATE ON attempts BEGIN SELECT RAISE(ABORT, 'attempts are never changed'); END;
CREATE TRIGGER outcomes_are_never_changed BEFORE UPDATE ON outcomes BEGIN SELECT RAISE(ABORT, 'outcomes are never changed'); END;
INSERT INTO alembic_version (version_num) VALUES ('0001') RETURNING version_num;
