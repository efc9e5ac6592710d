package io.sluice.provider.history;

import io.sluice.provider.json.JsonFault;

/**
 * A stored event or work item that this version cannot read. Permanent: reading again does not help, a newer version
 * may. The message names the field, its place in the text and what was expected; it never quotes values, which may be
 * payload.
 */
public final class DecodingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String path;
    private final long offset;

    /** The public face of a fault in a text. */
    public DecodingException(JsonFault fault) {
        super(fault.path() + " (at character " + fault.offset() + "): " + fault.expectation(), fault);
        this.path = fault.path();
        this.offset = fault.offset();
    }

    /**
     * The field that is wrong, from the outermost thing inwards, such as {@code history event.details.Poison.message}.
     */
    public String path() {
        return path;
    }

    /** Characters before the fault in the text; where a field is missing, before the object that should have it. */
    public long offset() {
        return offset;
    }
}
