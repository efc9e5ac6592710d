package io.sluice.emulator;

/** What a request asks for. */
public enum RequestKind {
    /** The account and its regions. */
    ACCOUNT(false, false),
    /** A database is made. */
    DATABASE_CREATE(false, true),
    /** A database is read. */
    DATABASE_READ(false, false),
    /** Databases are listed or queried. */
    DATABASE_LIST(false, false),
    /** A database is removed. */
    DATABASE_DELETE(false, true),
    /** A container is made. */
    CONTAINER_CREATE(false, true),
    /** A container's properties are read. */
    CONTAINER_READ(false, false),
    /** A container's properties are replaced. */
    CONTAINER_REPLACE(false, true),
    /** Containers are listed or queried. */
    CONTAINER_LIST(false, false),
    /** A container is removed. */
    CONTAINER_DELETE(false, true),
    /** Bought throughput is read or changed. */
    OFFER(false, false),
    /** The conflicts of a container are listed or queried; there are none. */
    CONFLICT_LIST(false, false),
    /** The partition key ranges of a container are read. */
    PARTITION_KEY_RANGES(false, false),
    /** The plan of a query is asked for. */
    QUERY_PLAN(false, false),
    /** A page of a query. */
    QUERY(true, false),
    /** A point read. */
    ITEM_READ(true, false),
    /** An item is created. */
    ITEM_CREATE(true, true),
    /** An item is replaced. */
    ITEM_REPLACE(true, true),
    /** An item is created or replaced. */
    ITEM_UPSERT(true, true),
    /** An item is removed. */
    ITEM_DELETE(true, true),
    /** An item is changed in part. */
    ITEM_PATCH(true, true),
    /** A transactional batch. */
    BATCH(true, true),
    /** All items of a partition key are removed. */
    PARTITION_KEY_DELETE(true, true),
    /** Operations sent together without a transaction. */
    BULK(true, true),
    /** A page of the change feed. */
    CHANGE_FEED(true, false),
    /** A page of all items. */
    READ_FEED(true, false),
    /** What only an emulator knows: a split, a merge. */
    CONTROL(false, false),
    /** What the emulator does not know. */
    UNKNOWN(false, false);

    private final boolean data;
    private final boolean write;

    RequestKind(boolean data, boolean write) {
        this.data = data;
        this.write = write;
    }

    /** Whether it may change something, so that only a region that takes writes serves it. */
    public boolean isWrite() {
        return write;
    }

    /** Whether it goes to data partitions, as opposed to plans, account, containers and ranges. */
    public boolean isData() {
        return data;
    }
}
