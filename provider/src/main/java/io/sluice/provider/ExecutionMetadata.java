package io.sluice.provider;

import io.sluice.provider.history.SemanticVersion;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the runtime tells the store about an execution; whatever is null stays as it is stored.
 *
 * @param status {@code Running}, {@code Completed}, {@code Failed} or {@code ContinuedAsNew}, and no other
 * @param output result, error text or next input; stored (and cleared when null) together with {@code status}
 * @param orchestrationName what it runs; an empty one counts as null
 * @param parentInstanceId parent of a sub-orchestration, which is another instance; fixed by an instance's first ack,
 *     no later one changes it
 * @param pinnedDuroxideVersion runtime version that replays this execution; sent with an execution's first turn
 * @param ext what a host keeps along with the instance, in place of what earlier turns gave; null leaves that as it is
 */
public record ExecutionMetadata(
        @Nullable String status,
        @Nullable String output,
        @Nullable String orchestrationName,
        @Nullable String orchestrationVersion,
        @Nullable String parentInstanceId,
        @Nullable SemanticVersion pinnedDuroxideVersion,
        @Nullable InstanceExt ext) {
    /** What an execution's status may be. */
    public static final Set<String> STATUSES = Set.of("Running", "Completed", "Failed", "ContinuedAsNew");

    /** Changes nothing. */
    public static final ExecutionMetadata NONE = new ExecutionMetadata(null, null, null, null, null, null, null);

    /** What nothing is kept along with by a host. */
    public ExecutionMetadata(
            @Nullable String status,
            @Nullable String output,
            @Nullable String orchestrationName,
            @Nullable String orchestrationVersion,
            @Nullable String parentInstanceId,
            @Nullable SemanticVersion pinnedDuroxideVersion) {
        this(status, output, orchestrationName, orchestrationVersion, parentInstanceId, pinnedDuroxideVersion, null);
    }

    public ExecutionMetadata {
        if (status != null) {
            requireStatus(status);
        }
    }

    /**
     * Refuses a text that is no status of an execution.
     *
     * @throws IllegalArgumentException naming it
     */
    public static String requireStatus(String status) {
        if (!STATUSES.contains(Objects.requireNonNull(status, "status"))) {
            throw new IllegalArgumentException(
                    "status must be Running, Completed, Failed or ContinuedAsNew, was '" + status + "'");
        }
        return status;
    }

    /** The same with this status and output. */
    public ExecutionMetadata withStatus(String newStatus, @Nullable String newOutput) {
        return new ExecutionMetadata(
                newStatus,
                newOutput,
                orchestrationName,
                orchestrationVersion,
                parentInstanceId,
                pinnedDuroxideVersion,
                ext);
    }

    /** The same with the orchestration's name and version. */
    public ExecutionMetadata withOrchestration(String name, String version) {
        return new ExecutionMetadata(status, output, name, version, parentInstanceId, pinnedDuroxideVersion, ext);
    }

    /** The same with this parent. */
    public ExecutionMetadata withParent(@Nullable String parent) {
        return new ExecutionMetadata(
                status, output, orchestrationName, orchestrationVersion, parent, pinnedDuroxideVersion, ext);
    }

    /** The same with this pinned version. */
    public ExecutionMetadata withPinnedVersion(SemanticVersion pinned) {
        return new ExecutionMetadata(
                status, output, orchestrationName, orchestrationVersion, parentInstanceId, pinned, ext);
    }

    /** The same with this kept along. */
    public ExecutionMetadata withExt(@Nullable InstanceExt newExt) {
        return new ExecutionMetadata(
                status,
                output,
                orchestrationName,
                orchestrationVersion,
                parentInstanceId,
                pinnedDuroxideVersion,
                newExt);
    }
}
