package io.sluice.durabletask.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Calls that the host refuses. */
final class Refusals {
    private Refusals() {}

    /** Expects this status, and these texts in its description. */
    static void assertRefused(Status.Code code, ThrowingCallable call, String... texts) {
        StatusRuntimeException refusal = catchThrowableOfType(StatusRuntimeException.class, call);
        assertThat(refusal).as("the call should have been refused as %s", code).isNotNull();
        assertThat(refusal.getStatus().getCode()).as("%s", refusal.getStatus()).isEqualTo(code);
        if (texts.length > 0) {
            assertThat(refusal.getStatus().getDescription()).contains(texts);
        }
    }
}
