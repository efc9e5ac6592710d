package io.sluice.provider.world.game;

import io.sluice.provider.InstanceFilter;
import io.sluice.provider.PruneOptions;
import java.util.ArrayList;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** What administrators remove. */
final class RemovalMoves {
    private final Compared both;

    RemovalMoves(Compared both) {
        this.both = both;
    }

    void delete(SplittableRandom random) {
        var process = both.process(random);
        var instance = both.instance(random);
        boolean force = random.nextBoolean();
        both.same(
                process,
                "deletes " + instance + (force ? " by force" : ""),
                side -> side.admin().deleteInstance(instance, force));
    }

    /** Ids that are unknown are passed over by the one and counted by the other, so only known ones are listed. */
    void deleteList(SplittableRandom random) {
        var process = both.process(random);
        var known = new ArrayList<>(both.modelAdmin().listInstances());
        var doomed = new ArrayList<String>();
        while (!known.isEmpty() && random.nextInt(3) > 0) {
            doomed.add(known.remove(random.nextInt(known.size())));
        }
        boolean force = random.nextBoolean();
        both.same(
                process,
                "deletes " + doomed + (force ? " by force" : ""),
                side -> side.admin().deleteInstancesAtomic(doomed, force));
    }

    void deleteMany(SplittableRandom random) {
        var process = both.process(random);
        var filter = filter(random);
        both.same(
                process,
                "deletes what is finished of " + filter,
                side -> side.admin().deleteInstanceBulk(filter));
    }

    void prune(SplittableRandom random) {
        var process = both.process(random);
        var instance = both.instance(random);
        var options = options(random);
        both.same(
                process,
                "prunes " + instance + " by " + options,
                side -> side.admin().pruneExecutions(instance, options));
    }

    void pruneMany(SplittableRandom random) {
        var process = both.process(random);
        var filter = filter(random);
        var options = options(random);
        both.same(
                process,
                "prunes " + filter + " by " + options,
                side -> side.admin().pruneExecutionsBulk(filter, options));
    }

    /** Without a limit between, for which of many are taken then the contract leaves open. */
    private InstanceFilter filter(SplittableRandom random) {
        var some = new ArrayList<String>();
        while (some.size() < 5 && random.nextInt(4) > 0) {
            var next = both.instance(random);
            if (!some.contains(next)) {
                some.add(next);
            }
        }
        return new InstanceFilter(random.nextBoolean() ? null : some, moment(random), Draw.oneIn(8, random) ? 0 : null);
    }

    private PruneOptions options(SplittableRandom random) {
        return new PruneOptions(random.nextBoolean() ? null : Integer.valueOf(random.nextInt(4)), moment(random));
    }

    private @Nullable Long moment(SplittableRandom random) {
        return random.nextBoolean() ? null : Long.valueOf(both.now() - random.nextInt(20_000));
    }
}
