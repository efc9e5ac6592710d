package io.sluice.emulator;

/** What a request asks for. */
public enum RequestKind {
    /** The account and its regions. */
    ACCOUNT(false),
    /** A database is made. */
    DATABASE_CREATE(false),
    /** A database is read. */
    DATABASE_READ(false),
    /** Databases are listed or queried. */
    DATABASE_LIST(false),
    /** A database is removed. */
    DATABASE_DELETE(false),
    /** A container is made. */
    CONTAINER_CREATE(false),
    /** A container's properties are read. */
    CONTAINER_READ(false),
    /** A container's properties are replaced. */
    CONTAINER_REPLACE(false),
    /** Containers are listed or queried. */
    CONTAINER_LIST(false),
    /** A container is removed. */
    CONTAINER_DELETE(false),
    /** Bought throughput is read or changed. */
    OFFER(false),
    /** The partition key ranges of a container are read. */
    PARTITION_KEY_RANGES(false),
    /** The plan of a query is asked for. */
    QUERY_PLAN(false),
    /** A page of a query. */
    QUERY(true),
    /** A point read. */
    ITEM_READ(true),
    /** An item is created. */
    ITEM_CREATE(true),
    /** An item is replaced. */
    ITEM_REPLACE(true),
    /** An item is created or replaced. */
    ITEM_UPSERT(true),
    /** An item is removed. */
    ITEM_DELETE(true),
    /** An item is changed in part. */
    ITEM_PATCH(true),
    /** A transactional batch. */
    BATCH(true),
    /** Operations sent together without a transaction. */
    BULK(true),
    /** A page of the change feed. */
    CHANGE_FEED(true),
    /** A page of all items. */
    READ_FEED(true),
    /** What the emulator does not know. */
    UNKNOWN(false);

    private final boolean data;

    RequestKind(boolean data) {
        this.data = data;
    }

    /** Whether it goes to data partitions, as opposed to plans, account, containers and ranges. */
    public boolean isData() {
        return data;
    }
}
