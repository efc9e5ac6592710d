package io.sluice.provider.cosmos.turn.work;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.cosmos.search.InstanceRows;
import io.sluice.provider.cosmos.turn.read.Messages;
import io.sluice.provider.cosmos.work.WorkNeeds;
import io.sluice.provider.document.DocumentJson;
import io.sluice.provider.document.Fields;
import io.sluice.provider.document.InstanceDocument;
import io.sluice.provider.document.MalformedDocumentException;
import io.sluice.provider.request.Call;
import io.sluice.provider.request.ContainerRequests;
import io.sluice.provider.work.BegunOrchestration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Judges many instances at once, by a query for their documents, and by one for the beginnings of their starts where
 * the document does not say which orchestration is begun. Thread-safe.
 */
final class TurnJudge {
    private static final String HEADS =
            "SELECT c.instanceId, c.pinnedDuroxideVersionPacked, c.orchestrationName, c.orchestrationVersion, c.status,"
                    + " c._etag FROM c WHERE c.type = 'instance'";
    /** Enough for any instance id and a name. */
    private static final int NAME_CHARACTERS = 2_048;

    private static final String STARTS = "SELECT c.instanceId, LEFT(c.workItem, " + NAME_CHARACTERS
            + ") AS workItem FROM c WHERE c.type = 'orch_queue' AND " + Messages.IS_START;

    private final ContainerRequests requests;
    private final Predicate<WorkNeeds> accepted;
    private final Verdicts verdicts;

    /** @param accepted whether a dispatcher takes a turn with these needs */
    TurnJudge(ContainerRequests requests, Predicate<WorkNeeds> accepted, Verdicts verdicts) {
        this.requests = requests;
        this.accepted = accepted;
        this.verdicts = verdicts;
    }

    /**
     * Notes which of the instances don't suit.
     *
     * @param instances by key range
     * @param starts the newest message of each that begins an execution; empty for none
     */
    void judge(Call call, Map<String, List<String>> instances, Map<String, String> starts) {
        Set<String> judged = new HashSet<>();
        InstanceRows.ask(requests, call, HEADS, instances, head -> {
            String id = DocumentJson.text(head, Fields.INSTANCE_ID);
            String start = starts.getOrDefault(id, "");
            Optional<WorkNeeds> pin = pin(head);
            if (pin.isEmpty()) {
                // The try to lock it finds out.
                judged.add(id);
            } else if (!accepted.test(pin.get())) {
                judged.add(id);
                verdicts.note(id, DocumentJson.etag(head), start);
            } else if (start.isEmpty() || namesNext(head)) {
                judged.add(id);
                noteByName(head, start, pin.get().pinnedVersion());
            }
        });
        Map<String, List<String>> left = new LinkedHashMap<>();
        instances.forEach((range, ids) -> left.put(
                range,
                ids.stream()
                        .filter(id -> !judged.contains(id)
                                && !starts.getOrDefault(id, "").isEmpty())
                        .toList()));
        if (doNamesMatter()) {
            judgeByStarts(call, left, starts);
        } else {
            left.values().forEach(ids -> ids.forEach(verdicts::forget));
        }
    }

    private boolean doNamesMatter() {
        return !accepted.test(WorkNeeds.ofTurn("", "", null));
    }

    private static Optional<WorkNeeds> pin(ObjectNode head) {
        try {
            return Optional.of(WorkNeeds.ofTurn(null, null, InstanceDocument.packedVersion(head)));
        } catch (MalformedDocumentException e) {
            return Optional.empty();
        }
    }

    /** Whether the document says what a turn runs although a start waits. */
    private static boolean namesNext(ObjectNode head) {
        return !name(head).isEmpty()
                && InstanceDocument.RUNNING.equals(head.path(Fields.STATUS).asText());
    }

    private void noteByName(ObjectNode head, String start, @Nullable Long pinned) {
        String id = DocumentJson.text(head, Fields.INSTANCE_ID);
        String version = head.path("orchestrationVersion").asText("");
        if (name(head).isEmpty() || accepted.test(WorkNeeds.ofTurn(name(head), version, pinned))) {
            verdicts.forget(id);
        } else {
            verdicts.note(id, DocumentJson.etag(head), start);
        }
    }

    private static String name(ObjectNode head) {
        return head.path("orchestrationName").asText("");
    }

    /** The version stands behind the input: where it is cut off and the name suits, the try to lock it finds out. */
    private void judgeByStarts(Call call, Map<String, List<String>> left, Map<String, String> starts) {
        Set<String> named = new HashSet<>();
        Set<String> others = new HashSet<>();
        InstanceRows.ask(requests, call, STARTS, left, message -> {
            String id = DocumentJson.text(message, Fields.INSTANCE_ID);
            boolean mayBeTried = BegunOrchestration.in(message.path("workItem").asText())
                    .map(begun -> WorkNeeds.ofTurn(begun.name(), begun.version(), null))
                    .map(accepted::test)
                    .orElse(true);
            (mayBeTried ? named : others).add(id);
        });
        others.removeAll(named);
        left.values()
                .forEach(ids -> ids.forEach(id -> {
                    if (others.contains(id)) {
                        verdicts.note(id, "", starts.getOrDefault(id, ""));
                    } else {
                        verdicts.forget(id);
                    }
                }));
    }
}
