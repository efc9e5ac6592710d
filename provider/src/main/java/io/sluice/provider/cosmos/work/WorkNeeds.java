package io.sluice.provider.cosmos.work;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a dispatcher has to run in order to take a piece of work, as far as it is known. Work of the same orchestration
 * or tag is ordered by age; among different ones dispatchers go round.
 *
 * @param isKnown whether the rest says anything; where it does not, one look has to find out
 * @param orchestration null for activities, and for an instance that any dispatcher may take
 * @param version of the orchestration, empty where it has none; null where it is not known
 * @param pinnedVersion of the runtime, packed; null for none
 * @param tag of an activity; null for none
 * @param owner of the activity's session; null for an activity that any worker may take
 */
public record WorkNeeds(
        boolean isKnown,
        @Nullable String orchestration,
        @Nullable String version,
        @Nullable Long pinnedVersion,
        @Nullable String tag,
        @Nullable String owner) {
    /** Nothing is known. */
    public static final WorkNeeds UNKNOWN = new WorkNeeds(false, null, null, null, null, null);

    /** Among different ones dispatchers go round: the orchestration, or the tag of an activity. */
    public String fairnessKey() {
        return Objects.requireNonNullElse(orchestration, Objects.requireNonNullElse(tag, ""));
    }

    /** Whether dispatchers with this filter may take it: of what is not known yet anybody may. */
    public boolean maySuit(WorkFilter filter) {
        return !isKnown || filter.accepts(this);
    }

    /** Those of a turn. */
    public static WorkNeeds ofTurn(
            @Nullable String orchestration, @Nullable String version, @Nullable Long pinnedVersion) {
        return new WorkNeeds(true, orchestration, version, pinnedVersion, null, null);
    }

    /** Those of an activity. */
    public static WorkNeeds ofActivity(@Nullable String tag, @Nullable String owner) {
        return new WorkNeeds(true, null, null, null, tag, owner);
    }
}
