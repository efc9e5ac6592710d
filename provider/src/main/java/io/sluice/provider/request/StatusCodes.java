package io.sluice.provider.request;

/** The service's status codes that mean something to us. */
final class StatusCodes {
    /** The client library sent nothing, or heard nothing. */
    static final int NONE = 0;

    static final int BAD_REQUEST = 400;
    static final int UNAUTHORIZED = 401;
    static final int FORBIDDEN = 403;
    static final int NOT_FOUND = 404;
    static final int REQUEST_TIMEOUT = 408;
    static final int CONFLICT = 409;
    static final int GONE = 410;
    static final int PRECONDITION_FAILED = 412;
    static final int TOO_LARGE = 413;
    static final int FAILED_DEPENDENCY = 424;
    static final int TOO_MANY_REQUESTS = 429;
    static final int RETRY_WITH = 449;

    /** 403: this region takes no writes just now. */
    static final int WRITE_FORBIDDEN = 3;
    /** 403: the logical partition holds all it may. */
    static final int PARTITION_FULL = 1014;
    /** 404: this replica has not seen the session yet. */
    static final int READ_SESSION_NOT_AVAILABLE = 1002;
    /** 404: the container or the database is missing. */
    static final int OWNER_RESOURCE_NOT_FOUND = 1003;
    /** 404: the container is being created. */
    static final int CONTAINER_BEING_CREATED = 1013;
    /** 404 of the client library, which sent nothing: it knows no physical partitions of the container. */
    static final int NO_ROUTING_MAP = 1024;

    private StatusCodes() {}
}
