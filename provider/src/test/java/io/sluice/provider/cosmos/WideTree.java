package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.beginChild;
import static io.sluice.provider.cosmos.StoreFixture.beginInstance;

import com.azure.cosmos.models.CosmosItemRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.provider.document.DocumentJson;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import reactor.core.publisher.Flux;

/** A root with many children, each of which has had one turn. */
final class WideTree {
    private static final int AT_ONCE = 16;
    private static final List<String> TYPES = List.of("instance", "history");

    private final String root;
    private final int children;

    private WideTree(String root, int children) {
        this.root = root;
        this.children = children;
    }

    /** Lets a provider begin the root and the first child, and copies that one's documents. */
    static WideTree create(StoreFixture fixture, CosmosProvider provider, String root, int children) {
        WideTree tree = new WideTree(root, children);
        CosmosStore store = fixture.store();
        beginInstance(provider, root);
        beginChild(provider, tree.child(0), root);
        List<ObjectNode> model = new ArrayList<>();
        TYPES.forEach(type -> model.addAll(fixture.documents(store, tree.child(0), type)));
        Flux.range(1, children - 1)
                .flatMap(i -> Flux.fromIterable(model).map(document -> tree.copy(document, i)), AT_ONCE)
                .flatMap(
                        copy -> store.container()
                                .createItem(
                                        copy,
                                        new PartitionKey(copy.path("instanceId").asText()),
                                        new CosmosItemRequestOptions()),
                        AT_ONCE)
                .blockLast();
        return tree;
    }

    private ObjectNode copy(ObjectNode document, int i) {
        ObjectNode copy = DocumentJson.parse(document.toString().replace(child(0), child(i)));
        copy.remove(List.of("_rid", "_self", "_etag", "_ts", "_attachments", "_lsn"));
        return copy;
    }

    String root() {
        return root;
    }

    /** Of one length, so that none is the beginning of another. */
    String child(int i) {
        return root + "::sub::" + (100_000 + i);
    }

    /** The root first. */
    List<String> members() {
        return Stream.concat(Stream.of(root), IntStream.range(0, children).mapToObj(this::child))
                .toList();
    }

    int size() {
        return children + 1;
    }
}
