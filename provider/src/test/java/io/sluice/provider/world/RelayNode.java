package io.sluice.provider.world;

import io.sluice.provider.ProviderException;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.outbox.DeliveryOutcome;
import io.sluice.provider.outbox.FailedIntents;
import io.sluice.provider.outbox.Intent;
import io.sluice.provider.outbox.IntentOutbox;
import io.sluice.provider.request.BatchWrite;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.world.judge.Operation.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * A relay: the store tells it which instances have intents, as the change feed would; it reads them, delivers pair by
 * pair in order, and removes what was delivered. Now and then it sweeps.
 */
final class RelayNode extends Node {
    RelayNode(World world, int number, SplittableRandom random) {
        super(world, number, "relay", random);
    }

    @Override
    void live() {
        pause(IDLE);
        var sources = world.ledger().sources();
        try {
            if (!sources.isEmpty() && random.nextInt(8) > 0) {
                deliver(sources.get(random.nextInt(sources.size())));
            } else if (world.isCalm() ? world.ledger().needsSweep() : random.nextInt(3) == 0) {
                var sweep = machine().sweep(store());
                ask(Kind.SWEEP, sweep::finishDeletions);
                pause("sweeps");
                ask(Kind.SWEEP, sweep::finishTurns);
            }
        } catch (ProviderException e) {
            if (!e.retryable()) {
                world.ledger().violation("the relay failed permanently: " + e.getMessage());
            }
        }
    }

    private void deliver(String source) {
        var requests = new ContainerRequests(store().container(), machine().wire());
        var outbox = new IntentOutbox(requests, machine().clock());
        var intents = ask(Kind.DELIVER, () -> outbox.undelivered(source));
        List<Intent> done = new ArrayList<>();
        Set<String> waiting = new HashSet<>();
        for (var intent : intents) {
            if (!waiting.contains(intent.targetInstance())) {
                pause("is about to deliver");
                if (isSettled(requests, outbox, intent)) {
                    done.add(intent);
                } else {
                    waiting.add(intent.targetInstance());
                }
            }
        }
        if (!done.isEmpty()) {
            pause("is about to remove intents");
            tell(Kind.DELIVER, () -> outbox.remove(source, done));
        }
    }

    private boolean isSettled(ContainerRequests requests, IntentOutbox outbox, Intent intent) {
        if (world.bug() == PlantedBug.NO_RECEIPTS) {
            return ask(Kind.DELIVER, () -> isCreated(requests, intent));
        }
        var outcome = ask(Kind.DELIVER, () -> outbox.deliver(intent));
        if (outcome instanceof DeliveryOutcome.Refused refused) {
            // It was forbidden by a deletion of its source that was given up, or did not go through.
            var failures = new FailedIntents(requests, machine().clock());
            var end = ask(Kind.DELIVER, () -> failures.giveUp(intent, refused.reason(), true));
            return end instanceof FailedIntents.GivingUp.WasDelivered;
        }
        if (outcome instanceof DeliveryOutcome.Poison poison) {
            world.ledger().violation("an intent is called poison: " + poison.error());
        }
        return outcome instanceof DeliveryOutcome.Delivered;
    }

    /** As the system did that this one is measured against: what is there already was delivered before. */
    private static boolean isCreated(ContainerRequests requests, Intent intent) {
        var call = Call.onInstance("deliverIntent", intent.targetInstance(), Duration.ofSeconds(10));
        var outcome = requests.batchPatiently(
                call, intent.targetInstance(), List.of(new BatchWrite.Create(DocumentJson.parse(intent.payload()))));
        return outcome.isCommitted() || outcome.isConflict();
    }
}
