-- The whole store. Times are UTC. PRIMARY KEY only: no foreign keys and no indexes (both break updates and migrations here).
-- Vector and word tables are made by search.py, which knows the embedder's dimension.

CREATE SEQUENCE conversation_ids;
CREATE SEQUENCE episode_ids;
CREATE SEQUENCE fact_ids;
CREATE SEQUENCE fact_version_ids;
CREATE SEQUENCE judgment_ids;
CREATE SEQUENCE situation_ids;
CREATE SEQUENCE plan_ids;
CREATE SEQUENCE journal_ids;

CREATE TABLE meta (
    only_row       BOOLEAN PRIMARY KEY DEFAULT TRUE CHECK (only_row),
    schema_version INTEGER NOT NULL,
    embedder       VARCHAR NOT NULL,
    embedder_hash  VARCHAR NOT NULL,
    dimension      INTEGER NOT NULL,
    created        TIMESTAMP NOT NULL
);

CREATE TABLE conversations (
    id           BIGINT PRIMARY KEY DEFAULT nextval('conversation_ids'),
    title        VARCHAR NOT NULL DEFAULT '',
    created      TIMESTAMP NOT NULL,
    updated      TIMESTAMP NOT NULL,
    head         BIGINT,
    pinned       BOOLEAN NOT NULL DEFAULT FALSE,
    archived     BOOLEAN NOT NULL DEFAULT FALSE,
    model        VARCHAR NOT NULL DEFAULT '',
    temperature  DOUBLE,
    instructions VARCHAR NOT NULL DEFAULT ''
);

CREATE TABLE episodes (
    id           BIGINT PRIMARY KEY DEFAULT nextval('episode_ids'),
    conversation BIGINT NOT NULL,
    parent       BIGINT,
    user_text    VARCHAR NOT NULL,
    answer_text  VARCHAR NOT NULL DEFAULT '',
    said         TIMESTAMP NOT NULL,
    state        VARCHAR NOT NULL CHECK (state IN ('open', 'complete', 'cut', 'failed')),
    model        VARCHAR NOT NULL DEFAULT '',
    answered     TIMESTAMP,
    learned      TIMESTAMP,
    archived     BOOLEAN NOT NULL DEFAULT FALSE,
    tokens       INTEGER NOT NULL DEFAULT 0,
    seconds      DOUBLE NOT NULL DEFAULT 0,
    context_used DOUBLE NOT NULL DEFAULT 0,
    error        VARCHAR NOT NULL DEFAULT ''
);

-- A row is one version of a fact; its text never changes. Current: valid_to IS NULL.
CREATE TABLE facts (
    version    BIGINT PRIMARY KEY DEFAULT nextval('fact_version_ids'),
    fact       BIGINT NOT NULL,
    key        VARCHAR NOT NULL,
    statement  VARCHAR NOT NULL,
    value      VARCHAR NOT NULL,
    kind       VARCHAR NOT NULL CHECK (kind IN ('semantic', 'procedural', 'episodic')),
    confidence VARCHAR NOT NULL CHECK (confidence IN ('stated', 'confirmed', 'inferred', 'edited')),
    episode    BIGINT,
    valid_from TIMESTAMP NOT NULL,
    valid_to   TIMESTAMP,
    learned    TIMESTAMP NOT NULL,
    pinned     BOOLEAN NOT NULL DEFAULT FALSE
);

CREATE TABLE judgments (
    id          BIGINT PRIMARY KEY DEFAULT nextval('judgment_ids'),
    trigger_text VARCHAR NOT NULL,
    judgment    VARCHAR NOT NULL,
    reasoning   VARCHAR NOT NULL DEFAULT '',
    domain      VARCHAR NOT NULL DEFAULT '',
    created     TIMESTAMP NOT NULL,
    situation   BIGINT NOT NULL,
    episode     BIGINT,
    archived    BOOLEAN NOT NULL DEFAULT FALSE,
    merged_into BIGINT
);

-- One vote per judgment and ballot (the answer it was given on).
CREATE TABLE votes (
    judgment   BIGINT NOT NULL,
    ballot     VARCHAR NOT NULL,
    verdict    VARCHAR NOT NULL CHECK (verdict IN ('adopted', 'corrected')),
    voted      TIMESTAMP NOT NULL,
    correction VARCHAR NOT NULL DEFAULT '',
    PRIMARY KEY (judgment, ballot)
);

-- `steps`: milliseconds of the recall that the plan was made for, step by step, as JSON.
CREATE TABLE plans (
    id             BIGINT PRIMARY KEY DEFAULT nextval('plan_ids'),
    episode        BIGINT,
    question       VARCHAR NOT NULL,
    needs_episodes BOOLEAN NOT NULL,
    decider        VARCHAR NOT NULL,
    reason         VARCHAR NOT NULL,
    confidence     DOUBLE NOT NULL,
    milliseconds   DOUBLE NOT NULL,
    fallback       VARCHAR NOT NULL DEFAULT '',
    planned        TIMESTAMP NOT NULL,
    steps          VARCHAR NOT NULL DEFAULT '{}',
    marked_wrong   BOOLEAN NOT NULL DEFAULT FALSE
);

-- What was recalled for which answer.
CREATE TABLE recalled (
    episode BIGINT NOT NULL,
    subject VARCHAR NOT NULL,
    item    BIGINT NOT NULL,
    place   INTEGER NOT NULL,
    score   DOUBLE NOT NULL,
    parts   VARCHAR NOT NULL,
    reason  VARCHAR NOT NULL,
    tokens  INTEGER NOT NULL,
    fits    BOOLEAN NOT NULL,
    PRIMARY KEY (episode, subject, item)
);

-- What was imported from elsewhere, so that nothing comes twice, nor back after it was forgotten.
CREATE TABLE imported_conversations (
    source       VARCHAR PRIMARY KEY,
    conversation BIGINT NOT NULL
);

CREATE TABLE imported_turns (
    key VARCHAR PRIMARY KEY
);

-- Every change to the memory. `changes` holds each touched row before and after, as JSON, so that any entry can be undone.
CREATE TABLE journal (
    id         BIGINT PRIMARY KEY DEFAULT nextval('journal_ids'),
    happened   TIMESTAMP NOT NULL,
    action     VARCHAR NOT NULL,
    subject    VARCHAR NOT NULL,
    subject_id BIGINT,
    summary    VARCHAR NOT NULL,
    decider    VARCHAR NOT NULL,
    reason     VARCHAR NOT NULL,
    confidence DOUBLE NOT NULL,
    fallback   VARCHAR NOT NULL DEFAULT '',
    episode    BIGINT,
    before     VARCHAR NOT NULL DEFAULT '',
    after      VARCHAR NOT NULL DEFAULT '',
    changes    VARCHAR NOT NULL,
    undoes     BIGINT,
    undone_by  BIGINT
);

-- How a language model did on the built-in cases, against the device: which decisions it may make.
CREATE TABLE aptitudes (
    model     VARCHAR NOT NULL,
    matter    VARCHAR NOT NULL,
    on_device INTEGER NOT NULL,
    model_right INTEGER NOT NULL,
    asked     INTEGER NOT NULL,
    n         INTEGER NOT NULL,
    probed    TIMESTAMP NOT NULL,
    PRIMARY KEY (model, matter)
);
