package io.sluice.durabletask.hub;

import io.sluice.durabletask.state.OrchestrationStates;
import io.sluice.provider.InstanceQueries;
import io.sluice.provider.InstanceQuery;
import io.sluice.provider.InstanceSummary;
import java.util.List;
import java.util.Optional;

/**
 * Tells whether another runtime runs instances of a task hub: a host keeps a state along with each instance that it
 * starts or takes a turn of, no other runtime does.
 */
public final class OtherRuntimes {
    private static final int LOOKED_AT = 100;
    /** Instances that run without a state usually wait for their first turn: few are asked for their history. */
    private static final int ASKED = 5;

    private OtherRuntimes() {}

    /**
     * What is wrong, and the remedy, where one of the hub's newest instances had turns elsewhere. Asks for one page of
     * instances, and for the first events of a few.
     *
     * @throws io.sluice.provider.ProviderException when the store gave no answer
     */
    public static Optional<String> warning(InstanceQueries queries) {
        return instance(queries)
                .map(instance -> "instance '" + instance.instanceId() + "' of '" + instance.orchestrationName()
                        + "' had its turns in another runtime; host and runtime take each other's work and fail it: "
                        + "give the host a container of its own");
    }

    private static Optional<InstanceSummary> instance(InstanceQueries queries) {
        List<InstanceSummary> stateless = queries.query(InstanceQuery.ALL, LOOKED_AT, null).instances().stream()
                .filter(instance -> !OrchestrationStates.isKept(instance))
                .toList();
        return stateless.stream()
                .filter(OrchestrationStates::hasEnded)
                .findFirst()
                .or(() -> stateless.stream()
                        .limit(ASKED)
                        .filter(instance -> hadTurn(queries, instance))
                        .findFirst());
    }

    private static boolean hadTurn(InstanceQueries queries, InstanceSummary instance) {
        return !queries.events(instance.instanceId(), instance.executionId(), List.of(1L))
                .isEmpty();
    }
}
