package io.sluice.emulator.document;

/**
 * Ends a request with an error status. It has no stack trace: such responses are ordinary, and frequent.
 */
public final class StatusException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private static final int PARTITION_GONE = 1002;

    private final int status;
    private final int subStatus;
    private long retryAfterMillis;
    private String additionalInfo = "";

    /** A refusal with an HTTP status, the service's sub-status (0 for none) and a sentence for the caller. */
    public StatusException(int status, int subStatus, String message) {
        super(message, null, false, false);
        this.status = status;
        this.subStatus = subStatus;
    }

    /** 400: the request itself is wrong. */
    public static StatusException badRequest(String message) {
        return new StatusException(400, 0, message);
    }

    /** 404: the resource does not exist, or has expired. */
    public static StatusException notFound() {
        return new StatusException(
                404,
                0,
                "Entity with the specified id does not exist in the system. More info:"
                        + " https://aka.ms/cosmosdb-tsg-not-found");
    }

    /** 404 with sub-status 1003: the container a request names does not exist. */
    public static StatusException ownerNotFound() {
        return new StatusException(404, 1003, "Owner resource does not exist");
    }

    /** 410 with sub-status 1002: the partition key range was split or merged, or never was. */
    public static StatusException partitionGone(String message) {
        return new StatusException(410, PARTITION_GONE, message);
    }

    /** 409: the id is taken. */
    public static StatusException conflict() {
        return new StatusException(409, 0, "Entity with the specified id already exists in the system.");
    }

    /** 409: another item of the partition key has the same values where they must be unique. */
    public static StatusException uniqueKeyViolated() {
        return new StatusException(409, 0, "Unique index constraint violation.");
    }

    /** 412: the ETag or the condition of a request does not hold. */
    public static StatusException preconditionFailed() {
        return new StatusException(
                412,
                0,
                "Operation cannot be performed because one of the specified precondition is not met. More info:"
                        + " https://aka.ms/CosmosDB/sql/errors/precondition-failed");
    }

    /** 413: the item or the request is over its limit. */
    public static StatusException tooLarge(String message) {
        return new StatusException(413, 0, message);
    }

    /** Whether a partition key range is not there any more. */
    public boolean isPartitionGone() {
        return status == 410 && subStatus == PARTITION_GONE;
    }

    /** 429 with sub-status 3200: the provisioned throughput is used up. */
    public static StatusException throttled(long retryAfterMillis) {
        var refusal = new StatusException(
                429,
                3200,
                "The request rate is large. More Request Units may be needed, so no changes were made. Please retry"
                        + " this request later. Learn more: http://aka.ms/cosmosdb-error-429");
        refusal.retryAfterMillis = retryAfterMillis;
        return refusal;
    }

    /** Adds information for the client to the message. */
    public StatusException withAdditionalInfo(String info) {
        additionalInfo = info;
        return this;
    }

    /** Additional information for the client, empty for none. */
    public String additionalInfo() {
        return additionalInfo;
    }

    /** After how many milliseconds to retry; 0 when the response does not say. */
    public long retryAfterMillis() {
        return retryAfterMillis;
    }

    /** The HTTP status of the answer. */
    public int status() {
        return status;
    }

    /** The sub-status of the answer, 0 for none. */
    public int subStatus() {
        return subStatus;
    }
}
