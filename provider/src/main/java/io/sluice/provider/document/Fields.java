package io.sluice.provider.document;

/** Field names that patches and queries use besides the documents themselves. */
public final class Fields {
    public static final String ID = "id";
    public static final String INSTANCE_ID = "instanceId";
    public static final String TYPE = "type";
    public static final String LOCK_TOKEN = "lockToken";
    public static final String LOCKED_UNTIL = "lockedUntil";
    public static final String ATTEMPT_COUNT = "attemptCount";
    public static final String VISIBLE_AT = "visibleAt";
    public static final String ENQUEUED_AT = "enqueuedAt";
    public static final String UPDATED_AT = "updatedAt";
    public static final String CREATED_AT = "createdAt";
    public static final String EXECUTION_ID = "executionId";
    public static final String EVENT_ID = "eventId";
    public static final String EVENT_DATA = "eventData";
    public static final String WORK_ITEM = "workItem";
    public static final String SESSION_ID = "sessionId";
    public static final String LAST_ACTIVITY = "lastActivity";
    public static final String STATUS = "status";
    public static final String ETAG = "_etag";

    private Fields() {}
}
