CREATE TABLE links_shown (
    attempt_id TEXT NOT NULL, username TEXT NOT NULL, operator_name TEXT NOT NULL,
    shown_at TIMESTAMP WITH TIME ZONE NOT NULL, CONSTRAINT pk_links_shown PRIMARY KEY (attempt_id, username),
    CONSTRAINT fk_links_shown_attempts FOREIGN KEY(attempt_id) REFERENCES attempts (attempt_id)
);
CREATE INDEX ix_links_shown_shown_at ON links_shown (shown_at);
UPDATE alembic_version SET version_num='0003' WHERE alembic_version.version_num = '0002';
