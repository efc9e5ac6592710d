package io.sluice.emulator.store;

/**
 * A request the service would refuse, with the status it would answer. It carries no stack trace: it is an ordinary
 * answer on its way out.
 */
public final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final int status;
    private final int subStatus;

    /** A refusal with an HTTP status, the service's sub-status (0 for none) and a sentence for the caller. */
    public Refusal(int status, int subStatus, String message) {
        super(message, null, false, false);
        this.status = status;
        this.subStatus = subStatus;
    }

    /** 400: the request itself is wrong. */
    public static Refusal badRequest(String message) {
        return new Refusal(400, 0, message);
    }

    /** 404: the resource does not exist, or has expired. */
    public static Refusal notFound() {
        return new Refusal(
                404,
                0,
                "Entity with the specified id does not exist in the system. More info: https://aka.ms/cosmosdb-tsg-not-found");
    }

    /** 404 with sub-status 1003: the container a request names does not exist. */
    public static Refusal ownerNotFound() {
        return new Refusal(404, 1003, "Owner resource does not exist");
    }

    /** 409: the id is taken. */
    public static Refusal conflict() {
        return new Refusal(409, 0, "Entity with the specified id already exists in the system.");
    }

    /** 412: the ETag or the condition of a request does not hold. */
    public static Refusal preconditionFailed() {
        return new Refusal(
                412,
                0,
                "Operation cannot be performed because one of the specified precondition is not met. More info: https://aka.ms/CosmosDB/sql/errors/precondition-failed");
    }

    /** 413: the item or the request is over its limit. */
    public static Refusal tooLarge(String message) {
        return new Refusal(413, 0, message);
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
