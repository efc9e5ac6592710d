package io.sluice.provider.cosmos.turn;

import io.sluice.provider.cosmos.deletion.Deletions;
import io.sluice.provider.cosmos.document.QueueDocument;
import io.sluice.provider.cosmos.document.Stored;
import io.sluice.provider.cosmos.document.TimeOrderedIds;
import io.sluice.provider.cosmos.request.ContainerRequests;
import io.sluice.provider.cosmos.staged.Staging;
import io.sluice.provider.cosmos.staged.TurnFinisher;
import io.sluice.provider.outbox.IntentOutbox;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;

/**
 * What the steps of a turn share.
 *
 * @param activitiesQueued to be told when a turn has scheduled activities: of those whose versions are known, or of none
 */
record TurnParts(
        ContainerRequests requests,
        PartitionReader partitions,
        Histories histories,
        TurnFeeds feeds,
        HeldTurns held,
        InstanceCache cache,
        TurnFinisher finisher,
        Staging staging,
        IntentOutbox outbox,
        Deletions deletions,
        TimeOrderedIds ids,
        TurnSettings settings,
        Consumer<List<Stored<QueueDocument>>> activitiesQueued,
        InstantSource clock) {}
