package io.sluice.provider.announcement;

/** Bytes that are no announcement. The message names the field and the limit, and no value. */
public final class MalformedAnnouncementException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    MalformedAnnouncementException(String message) {
        super(message);
    }
}
