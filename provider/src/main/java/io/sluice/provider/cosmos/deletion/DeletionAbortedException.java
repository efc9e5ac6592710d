package io.sluice.provider.cosmos.deletion;

/** Ends an attempt whose deletion another process has aborted, or whose document is gone, which means the same. */
final class DeletionAbortedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DeletionAbortedException(String uuid) {
        super("another process has aborted the deletion " + uuid);
    }
}
