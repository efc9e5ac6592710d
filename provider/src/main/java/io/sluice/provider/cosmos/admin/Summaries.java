package io.sluice.provider.cosmos.admin;

import io.sluice.provider.CustomStatus;
import io.sluice.provider.InstanceSummary;
import io.sluice.provider.document.InstanceDocument;
import java.time.Instant;

/** Makes of an instance's document what a caller sees. Pure. */
public final class Summaries {
    private Summaries() {}

    /**
     * The summary of an instance.
     *
     * @param withTexts whether the document was read with its texts
     */
    public static InstanceSummary of(InstanceDocument head, boolean withTexts) {
        return new InstanceSummary(
                head.instanceId(),
                head.orchestrationName(),
                head.orchestrationVersion(),
                head.currentExecutionId(),
                head.status(),
                Instant.ofEpochMilli(head.createdAt()),
                Instant.ofEpochMilli(head.updatedAt()),
                head.parentInstanceId(),
                head.ext(),
                withTexts ? texts(head) : null);
    }

    private static InstanceSummary.Texts texts(InstanceDocument head) {
        return new InstanceSummary.Texts(
                head.output(), new CustomStatus(head.customStatus(), head.customStatusVersion()));
    }
}
