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
        var provider = process.provider();
        var model = both.model();
        var of = " of " + instance;
        both.same("value " + key + of, () -> provider.getKvValue(instance, key), () -> model.getKvValue(instance, key));
        both.same("values" + of, () -> provider.getKvAllValues(instance), () -> model.getKvAllValues(instance));
        both.same(
                "custom status after " + seen + of,
                () -> provider.getCustomStatus(instance, seen),
                () -> model.getCustomStatus(instance, seen));
        both.same("stats" + of, () -> provider.getInstanceStats(instance), () -> model.getInstanceStats(instance));
        both.same("history" + of, () -> provider.read(instance), () -> model.read(instance));
    }

    private void execution(Node process, String instance, long execution) {
        var of = " of execution " + execution + " of " + instance;
        both.same(
                "history" + of,
                () -> process.provider().readWithExecution(instance, execution),
                () -> both.model().readWithExecution(instance, execution));
        both.same(
                "info" + of,
                () -> process.admin().getExecutionInfo(instance, execution),
                () -> both.modelAdmin().getExecutionInfo(instance, execution));
    }

    private void kinship(Node process, String instance) {
        var admin = process.admin();
        var model = both.modelAdmin();
        var of = " of " + instance;
        both.same("info" + of, () -> info(admin, instance), () -> info(model, instance));
        both.same("executions" + of, () -> admin.listExecutions(instance), () -> model.listExecutions(instance));
        both.same(
                "latest execution" + of,
                () -> admin.latestExecutionId(instance),
                () -> model.latestExecutionId(instance));
        both.same("parent" + of, () -> admin.getParentId(instance), () -> model.getParentId(instance));
        both.same("children" + of, () -> admin.listChildren(instance), () -> model.listChildren(instance));
        both.same("tree" + of, () -> admin.getInstanceTree(instance), () -> model.getInstanceTree(instance));
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
        var admin = process.admin();
        var model = both.modelAdmin();
        both.same("all instances", admin::listInstances, model::listInstances);
        for (var status : STATUSES) {
            both.same(
                    "all that are " + status,
                    () -> admin.listInstancesByStatus(status),
                    () -> model.listInstancesByStatus(status));
        }
        both.same("metrics", admin::getSystemMetrics, model::getSystemMetrics);
        both.same("depths of the queues", admin::getQueueDepths, model::getQueueDepths);
    }

    /** What is left in the queues once all was fetched: what waits for its start. */
    void leftovers() {
        var process = both.process();
        both.same("depths at the end", process.admin()::getQueueDepths, both.modelAdmin()::getQueueDepths);
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
