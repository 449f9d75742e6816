CREATE TABLE _alembic_tmp_drafts (
    environment TEXT NOT NULL, username TEXT NOT NULL, screen TEXT NOT NULL, draft_id TEXT NOT NULL,
    content JSON NOT NULL, updated_at DATETIME NOT NULL,
    CONSTRAINT pk_drafts PRIMARY KEY (environment, username, screen, draft_id)
);
INSERT INTO _alembic_tmp_drafts (environment, username, screen, draft_id, content, updated_at) SELECT drafts.environment, drafts.username, drafts.screen, drafts.draft_id, drafts.content, drafts.updated_at
FROM drafts;
DROP TABLE drafts;
ALTER TABLE _alembic_tmp_drafts RENAME TO drafts;
CREATE INDEX ix_drafts_draft_id ON drafts (draft_id);
UPDATE alembic_version SET version_num='0004' WHERE alembic_version.version_num = '0003';
