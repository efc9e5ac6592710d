package io.sluice.provider.announcement;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.sluice.provider.work.BegunOrchestration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a start begins, so that only those who run it look at it.
 *
 * @param version empty where the start names none; null where it is not known
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AnnouncedOrchestration(String name, @Nullable String version) {
    private static final Logger LOG = LoggerFactory.getLogger(AnnouncedOrchestration.class);

    /**
     * Checks that it can be announced.
     *
     * @param place before the names of its fields
     * @throws IllegalArgumentException when a field exceeds its limit
     */
    void check(String place) {
        Limits.text(place + "name", name, Limits.MOST_ID);
        Limits.optional(place + "version", version, Limits.MOST_ID);
    }

    /** What the work item of a start names; nothing where that can't be read, or can't be announced. */
    static Optional<AnnouncedOrchestration> of(String start) {
        return BegunOrchestration.in(start)
                .map(begun -> new AnnouncedOrchestration(begun.name(), begun.version()))
                .filter(AnnouncedOrchestration::isWithinLimits);
    }

    private boolean isWithinLimits() {
        try {
            check("orchestration.");
            return true;
        } catch (IllegalArgumentException e) {
            LOG.atDebug()
                    .addKeyValue("reason", e.getMessage())
                    .log("what a start begins can't be announced, it is left out");
            return false;
        }
    }
}
