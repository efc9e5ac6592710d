package io.sluice.relay.topic;

import io.sluice.relay.contract.TopicContract;
import io.sluice.relay.contract.TopicStorage.Partitions;
import java.util.List;
import java.util.Map;

/**
 * Topics that are about to be created, after all that can be checked of them was.
 *
 * @param wanted all topics, also those that exist
 * @param missing the partitions of those that do not exist
 * @param rules how they are created
 */
public record TopicPlan(List<TopicContract> wanted, Map<TopicContract, Integer> missing, TopicRules rules) {
    public TopicPlan {
        wanted = List.copyOf(wanted);
        missing = Map.copyOf(missing);
    }

    /** Those whose partitions follow those of another topic, which has to be created first; or all others. */
    List<TopicContract> missing(boolean follow) {
        return wanted.stream()
                .filter(missing::containsKey)
                .filter(contract -> follows(contract) == follow)
                .toList();
    }

    private static boolean follows(TopicContract contract) {
        var partitions = contract.storage().partitions();
        return partitions == Partitions.AS_HISTORY || partitions == Partitions.AS_COMMANDS;
    }
}
