package io.sluice.emulator.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.document.Json;
import io.sluice.emulator.document.StatusException;
import io.sluice.emulator.query.condition.DocumentPath;
import io.sluice.emulator.query.condition.IndexCondition;
import io.sluice.emulator.query.condition.ValueRange;
import io.sluice.emulator.query.value.JsonValues;
import io.sluice.emulator.store.item.StoredItem;
import io.sluice.emulator.store.key.PartitionKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionTest {
    private static final PartitionKey KEY = PartitionKey.parse("[\"a\"]");

    private Account account;
    private Partition partition;

    @BeforeEach
    void open() {
        account = Account.open(null, 1, new VersionRetention(false), () -> Instant.EPOCH.plusSeconds(1_000_000));
        var database = account.createDatabase(Json.object().put("id", "db"), null);
        var body = Json.object().put("id", "things");
        body.putObject("partitionKey")
                .put("kind", "Hash")
                .put("version", 2)
                .putArray("paths")
                .add("/pk");
        partition = account.createContainer(database, body, null).partitions().get(0);
    }

    @AfterEach
    void close() {
        account.close();
    }

    @Test
    void a_transaction_has_one_number_for_all_it_writes() {
        long before = partition.lsn();

        write(transaction -> {
            transaction.create(KEY, item("1"));
            transaction.create(KEY, item("2"));
        });

        assertThat(partition.lsn()).isEqualTo(before + 1);
        assertThat(list(partition.view().changesAfter(before)))
                .extracting(StoredItem::lsn)
                .containsExactly(before + 1, before + 1);
    }

    @Test
    void a_transaction_that_writes_nothing_or_fails_has_no_number() {
        long before = partition.lsn();

        write(transaction -> transaction.exists(KEY, "1"));
        assertThatThrownBy(() -> write(transaction -> {
                    transaction.create(KEY, item("1"));
                    throw StatusException.preconditionFailed();
                }))
                .isInstanceOf(StatusException.class);

        assertThat(partition.lsn()).isEqualTo(before);
        assertThat(list(partition.view().items(0))).isEmpty();
    }

    @Test
    void a_view_stays_as_it_was() {
        write(transaction -> transaction.create(KEY, item("1")));
        var view = partition.view();

        write(transaction -> transaction.delete(KEY, "1", Precondition.NONE));
        write(transaction -> transaction.create(KEY, item("2")));

        assertThat(list(view.items(0))).extracting(StoredItem::id).containsExactly("1");
        assertThat(list(view.changesAfter(0))).extracting(StoredItem::id).containsExactly("1");
        assertThat(list(partition.view().items(0))).extracting(StoredItem::id).containsExactly("2");
    }

    @Test
    void etags_never_repeat() {
        var etags = new ArrayList<String>();
        for (int i = 0; i < 50; i++) {
            write(transaction -> {
                etags.add(transaction.upsert(KEY, item("1"), Precondition.NONE).etag());
                etags.add(transaction.upsert(KEY, item("2"), Precondition.NONE).etag());
            });
        }

        assertThat(etags).doesNotHaveDuplicates();
    }

    @Test
    void a_container_that_is_gone_answers_404() {
        var database = account.database("db");
        account.deleteContainer(database, account.container("db", "things"), Precondition.NONE);

        assertThatThrownBy(() -> partition.view())
                .isInstanceOfSatisfying(
                        StatusException.class,
                        refusal -> assertThat(refusal.status()).isEqualTo(404));
        assertThatThrownBy(() -> write(transaction -> transaction.create(KEY, item("1"))))
                .isInstanceOf(StatusException.class);
    }

    @Test
    void a_partition_that_has_split_answers_410_even_when_its_maps_are_gone() {
        var container = account.container("db", "things");
        account.repartitioning().split(account.database("db"), container, partition.id(), null);

        for (int sweeps = 0; sweeps < 3; sweeps++) {
            assertThatThrownBy(() -> partition.view())
                    .isInstanceOfSatisfying(
                            StatusException.class,
                            refusal -> assertThat(refusal.status()).isEqualTo(410));
            account.sweep();
        }
    }

    /** Random transactions, some of which fail, against a plain map; all indexes must agree with it after each. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void all_indexes_agree_with_a_plain_map(long seed) {
        var random = new SplittableRandom(seed);
        Map<String, String> model = new HashMap<>();
        for (int step = 0; step < 200; step++) {
            var tried = new HashMap<>(model);
            boolean fails = random.nextInt(4) == 0;
            int operations = random.nextInt(1, 5);
            try {
                write(transaction -> {
                    for (int i = 0; i < operations; i++) {
                        operate(random, transaction, tried);
                    }
                    if (fails) {
                        throw StatusException.conflict();
                    }
                });
                model = tried;
            } catch (StatusException expected) {
                assertThat(fails).as("seed %s", seed).isTrue();
            }
            assertAgrees(model, "seed " + seed + ", step " + step);
        }
    }

    private static void operate(SplittableRandom random, WriteTransaction transaction, Map<String, String> model) {
        var id = "item-" + random.nextInt(6);
        var type = "type-" + random.nextInt(3);
        if (model.containsKey(id) && random.nextBoolean()) {
            transaction.delete(KEY, id, Precondition.NONE);
            model.remove(id);
        } else {
            transaction.upsert(KEY, item(id).put("type", type), Precondition.NONE);
            model.put(id, type);
        }
    }

    private void assertAgrees(Map<String, String> model, String when) {
        var view = partition.view();
        var ids = model.keySet();
        assertThat(ids(view.items(0))).as(when).containsExactlyInAnyOrderElementsOf(ids);
        assertThat(ids(view.changesAfter(0))).as(when).containsExactlyInAnyOrderElementsOf(ids);
        var container = account.container("db", "things");
        assertThat(ids(view.items(container.effectiveKey(KEY), KEY, 0)))
                .as(when)
                .containsExactlyInAnyOrderElementsOf(ids);
        for (var type : List.of("type-0", "type-1", "type-2")) {
            var ofType = ids.stream().filter(id -> type.equals(model.get(id))).toList();
            assertThat(ids(ofType(type))).as(when).containsExactlyInAnyOrderElementsOf(ofType);
        }
        ids.forEach(id -> assertThat(partition.find(KEY, id)).as(when).isPresent());
        assertThat(list(view.items(0))).as(when).extracting(StoredItem::number).isSorted();
    }

    private Iterator<StoredItem> ofType(String type) {
        var path = DocumentPath.to(List.of("type"));
        var view = partition.view(List.of(path));
        var condition = new IndexCondition(path, List.of(new ValueRange.Point(JsonValues.of(type))));
        return view.items(view.index(path).orElseThrow().items(condition, 0));
    }

    private void write(Consumer<WriteTransaction> work) {
        partition.write(transaction -> {
            work.accept(transaction);
            return transaction;
        });
    }

    private static ObjectNode item(String id) {
        return Json.object().put("id", id).put("pk", "a");
    }

    private static List<String> ids(Iterator<StoredItem> items) {
        return list(items).stream().map(StoredItem::id).toList();
    }

    private static List<StoredItem> list(Iterator<StoredItem> items) {
        var list = new ArrayList<StoredItem>();
        items.forEachRemaining(list::add);
        return list;
    }
}
