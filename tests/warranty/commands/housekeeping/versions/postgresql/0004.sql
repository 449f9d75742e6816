ALTER TABLE drafts DROP CONSTRAINT pk_drafts;
ALTER TABLE drafts ADD CONSTRAINT pk_drafts PRIMARY KEY (environment, username, screen, draft_id);
UPDATE alembic_version SET version_num='0004' WHERE alembic_version.version_num = '0003';
