package io.sluice.provider.world.game;

import io.sluice.provider.InstanceInfo;
import io.sluice.provider.ProviderAdmin;
import io.sluice.provider.world.game.Compared.Node;
import java.util.List;
import java.util.SplittableRandom;

/** What anybody sees. */
final class LookMoves {
    private static final List<String> STATUSES = List.of("Running", "Completed", "Failed", "ContinuedAsNew");
    private static final int MOST_EXECUTIONS = 4;

    private final Compared both;

    LookMoves(Compared both) {
        this.both = both;
    }

    void one(SplittableRandom random) {
        var process = both.process(random);
        var instance = both.instance(random);
        if (random.nextBoolean()) {
            state(process, instance, Draw.key(random), random.nextInt(3));
            execution(process, instance, 1 + random.nextInt(MOST_EXECUTIONS));
        } else {
            kinship(process, instance);
        }
    }

    void all(SplittableRandom random) {
        all(both.process(random));
    }

    private void state(Node process, String instance, String key, long seen) {
        var of = " of " + instance;
        both.same(process, "value " + key + of, side -> side.provider().getKvValue(instance, key));
        both.same(process, "values" + of, side -> side.provider().getKvAllValues(instance));
        both.same(process, "status after " + seen + of, side -> side.provider().getCustomStatus(instance, seen));
        both.same(process, "stats" + of, side -> side.provider().getInstanceStats(instance));
        both.same(process, "history" + of, side -> side.provider().read(instance));
    }

    private void execution(Node process, String instance, long execution) {
        var of = " of execution " + execution + " of " + instance;
        both.same(process, "history" + of, side -> side.provider().readWithExecution(instance, execution));
        both.same(process, "info" + of, side -> side.admin().getExecutionInfo(instance, execution));
    }

    private void kinship(Node process, String instance) {
        var of = " of " + instance;
        both.same(process, "info" + of, side -> info(side.admin(), instance));
        both.same(process, "executions" + of, side -> side.admin().listExecutions(instance));
        both.same(process, "latest execution" + of, side -> side.admin().latestExecutionId(instance));
        both.same(process, "parent" + of, side -> side.admin().getParentId(instance));
        both.same(process, "children" + of, side -> side.admin().listChildren(instance));
        both.same(process, "tree" + of, side -> side.admin().getInstanceTree(instance));
    }

    /** When it was last changed is each store's own: the provider's moves with locks as well. */
    private static InstanceInfo info(ProviderAdmin admin, String instance) {
        var info = admin.getInstanceInfo(instance);
        return new InstanceInfo(
                info.instanceId(),
                info.orchestrationName(),
                info.orchestrationVersion(),
                info.currentExecutionId(),
                info.status(),
                info.output(),
                info.createdAtMillis(),
                0,
                info.parentInstanceId());
    }

    private void all(Node process) {
        both.same(process, "all instances", side -> side.admin().listInstances());
        for (var status : STATUSES) {
            both.same(process, "all that are " + status, side -> side.admin().listInstancesByStatus(status));
        }
        both.same(process, "metrics", side -> side.admin().getSystemMetrics());
        depths(process);
    }

    private void depths(Node process) {
        both.same(process, "depths of the queues", side -> side.admin().getQueueDepths());
    }

    /** What is left in the queues once all was fetched: what waits for its start. */
    void leftovers() {
        depths(both.process());
    }

    /** All there is to see. */
    void everything() {
        var process = both.process();
        all(process);
        for (var instance : both.modelAdmin().listInstances()) {
            kinship(process, instance);
            state(process, instance, Draw.keys().get(0), 0);
            both.modelAdmin().listExecutions(instance).forEach(each -> execution(process, instance, each));
        }
    }
}
