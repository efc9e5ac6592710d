package io.sluice.provider.cosmos;

import static io.sluice.provider.cosmos.StoreFixture.activity;
import static io.sluice.provider.cosmos.StoreFixture.completed;
import static io.sluice.provider.cosmos.StoreFixture.firstAck;
import static io.sluice.provider.cosmos.StoreFixture.start;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.cosmos.models.CosmosQueryRequestOptions;
import com.azure.cosmos.models.PartitionKey;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.FaultRule;
import io.sluice.emulator.Faults;
import io.sluice.emulator.LoggedRequest;
import io.sluice.emulator.RequestKind;
import io.sluice.provider.LockedTurn;
import io.sluice.provider.LockedWorkItem;
import io.sluice.provider.ProviderException;
import io.sluice.provider.SessionFetchConfig;
import io.sluice.provider.TagFilter;
import io.sluice.provider.contract.Covers;
import io.sluice.provider.work.WorkItem;
import io.sluice.testkit.CosmosAccount;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every operation meets every passing fault once, before and after its request was applied: each time it succeeds, and
 * the store is as if nothing had happened. A fault that stays makes it fail in the way its caller can live with.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FaultTableIT {
    /** Longer than this class runs: what one test leaves locked, no other meets. */
    private static final Duration LOCK = Duration.ofMinutes(30);

    private static final Duration POLL = Duration.ofSeconds(10);
    private static final Duration LATER = Duration.ofHours(1);

    @RegisterExtension
    static final CosmosAccount account = CosmosAccount.firstAvailable();

    private static final AtomicInteger next = new AtomicInteger();
    private static StoreFixture fixture;
    private static CosmosProvider provider;
    private static CosmosStore store;

    private final String instance = "order-" + next.incrementAndGet();

    @BeforeAll
    static void open() {
        account.requireEmulator();
        fixture = StoreFixture.provisioned(account);
        store = fixture.store();
        provider = CosmosProvider.builder().reconciler(false).store(store).build();
    }

    @AfterEach
    void clear() {
        account.requireEmulator().faults().clear();
    }

    @AfterAll
    static void close() {
        fixture.close();
    }

    /** What happens to one request. */
    enum Fault {
        THROTTLED_429(429, 3200),
        TIMEOUT_408(408, 0),
        GONE_410(410, 0),
        RETRY_WITH_449(449, 0),
        ERROR_500(500, 0),
        UNAVAILABLE_503(503, 0),
        /** A key that is being rotated. */
        UNAUTHORIZED_401(401, 0),
        /** A firewall, or a role that is being granted. */
        FORBIDDEN_403(403, 0),
        /** A role that lacks an action just now. */
        NO_ROLE_403(403, 5300),
        /** A container that is being restored. */
        NO_CONTAINER_404(404, 1003),
        /** The connection drops before the request is applied. */
        CONNECTION_DROPPED(0, 0),
        /** The connection drops after the request was applied. */
        ANSWER_LOST(0, 0);

        private final int status;
        private final int subStatus;

        Fault(int status, int subStatus) {
            this.status = status;
            this.subStatus = subStatus;
        }

        FaultRule at(Predicate<LoggedRequest> match, int nth) {
            Faults faults = account.requireEmulator().faults();
            return switch (this) {
                case CONNECTION_DROPPED -> faults.dropConnection(match, nth);
                case ANSWER_LOST -> faults.loseAnswer(match, nth);
                default -> faults.refuse(match, nth, status, subStatus);
            };
        }
    }

    /** An operation about to run on a prepared store, and how the store must look afterwards. */
    private record Scene(Runnable run, Runnable check) {}

    /** The operations that write. */
    enum Writing {
        ENQUEUE_MESSAGE {
            @Override
            Scene on(String instance) {
                return new Scene(
                        () -> provider.enqueueForOrchestrator(start(instance), LATER),
                        () -> assertThat(documents(instance, "orch_queue")).hasSize(1));
            }
        },
        ENQUEUE_ACTIVITY {
            @Override
            Scene on(String instance) {
                return new Scene(() -> provider.enqueueForWorker(activity(instance, 2)), () -> {
                    assertThat(documents(instance, "worker_queue")).hasSize(1);
                    provider.ackWorkItem(activityOf(instance).lockToken(), null);
                });
            }
        },
        FETCH_TURN {
            @Override
            Scene on(String instance) {
                provider.enqueueForOrchestrator(start(instance), null);
                AtomicReference<LockedTurn> fetched = new AtomicReference<>();
                return new Scene(() -> fetched.set(turnOf(instance)), () -> {
                    LockedTurn turn = Objects.requireNonNull(fetched.get());
                    assertThat(turn.attemptCount()).isEqualTo(1);
                    ObjectNode message = one(instance, "orch_queue");
                    assertThat(message.get("attemptCount").asInt()).isEqualTo(1);
                    assertThat(message.get("lockToken").asText()).isEqualTo(turn.lockToken());
                    assertThat(one(instance, "instance").get("lockToken").asText())
                            .isEqualTo(turn.lockToken());
                    provider.ackOrchestrationItem(firstAck(turn));
                });
            }
        },
        ACK_TURN {
            @Override
            Scene on(String instance) {
                LockedTurn turn = startedTurn(instance);
                return new Scene(() -> provider.ackOrchestrationItem(firstAck(turn)), () -> {
                    assertThat(documents(instance, "history")).hasSize(1);
                    assertThat(documents(instance, "orch_queue")).isEmpty();
                    assertThat(one(instance, "instance").get("lockToken").isNull())
                            .isTrue();
                });
            }
        },
        RENEW_TURN {
            @Override
            Scene on(String instance) {
                LockedTurn turn = startedTurn(instance);
                long before = one(instance, "instance").get("lockedUntil").asLong();
                return new Scene(
                        () -> provider.renewOrchestrationItemLock(turn.lockToken(), LOCK.multipliedBy(2)), () -> {
                            assertThat(one(instance, "instance")
                                            .get("lockedUntil")
                                            .asLong())
                                    .isGreaterThan(before);
                            provider.ackOrchestrationItem(firstAck(turn));
                        });
            }
        },
        ABANDON_TURN {
            @Override
            Scene on(String instance) {
                LockedTurn turn = startedTurn(instance);
                return new Scene(() -> provider.abandonOrchestrationItem(turn.lockToken(), LATER, true), () -> {
                    ObjectNode message = one(instance, "orch_queue");
                    assertThat(message.get("attemptCount").asInt()).isZero();
                    assertThat(message.get("lockToken").isNull()).isTrue();
                    assertThat(documents(instance, "instance"))
                            .as("made by the fetch alone")
                            .isEmpty();
                });
            }
        },
        FETCH_ACTIVITY {
            @Override
            Scene on(String instance) {
                provider.enqueueForWorker(activity(instance, 2));
                AtomicReference<LockedWorkItem> fetched = new AtomicReference<>();
                return new Scene(() -> fetched.set(activityOf(instance)), () -> {
                    LockedWorkItem item = Objects.requireNonNull(fetched.get());
                    assertThat(item.attemptCount()).isEqualTo(1);
                    ObjectNode document = one(instance, "worker_queue");
                    assertThat(document.get("attemptCount").asInt()).isEqualTo(1);
                    assertThat(document.get("lockToken").asText()).isEqualTo(item.lockToken());
                    provider.ackWorkItem(item.lockToken(), null);
                });
            }
        },
        ACK_ACTIVITY {
            @Override
            Scene on(String instance) {
                LockedWorkItem item = queuedActivity(instance);
                return new Scene(() -> provider.ackWorkItem(item.lockToken(), completed(instance, 2)), () -> {
                    assertThat(documents(instance, "worker_queue")).isEmpty();
                    assertThat(documents(instance, "orch_queue"))
                            .as("the completion, once")
                            .hasSize(1);
                });
            }
        },
        RENEW_ACTIVITY {
            @Override
            Scene on(String instance) {
                LockedWorkItem item = queuedActivity(instance);
                long before = one(instance, "worker_queue").get("lockedUntil").asLong();
                return new Scene(() -> provider.renewWorkItemLock(item.lockToken(), LOCK.multipliedBy(2)), () -> {
                    assertThat(one(instance, "worker_queue").get("lockedUntil").asLong())
                            .isGreaterThan(before);
                    provider.ackWorkItem(item.lockToken(), null);
                });
            }
        },
        ABANDON_ACTIVITY {
            @Override
            Scene on(String instance) {
                LockedWorkItem item = queuedActivity(instance);
                return new Scene(() -> provider.abandonWorkItem(item.lockToken(), LATER, true), () -> {
                    ObjectNode document = one(instance, "worker_queue");
                    assertThat(document.get("attemptCount").asInt()).isZero();
                    assertThat(document.get("lockToken").isNull()).isTrue();
                });
            }
        },
        RENEW_SESSION {
            @Override
            Scene on(String instance) {
                LockedWorkItem item = sessionActivity(instance);
                long before = one(instance, "session").get("lockedUntil").asLong();
                List<String> owner = List.of("worker-" + instance);
                return new Scene(
                        () -> assertThat(provider.renewSessionLock(owner, LOCK.multipliedBy(2), LOCK))
                                .isEqualTo(1),
                        () -> {
                            assertThat(one(instance, "session")
                                            .get("lockedUntil")
                                            .asLong())
                                    .isGreaterThan(before);
                            provider.ackWorkItem(item.lockToken(), null);
                        });
            }
        };

        /** Prepares the store. */
        abstract Scene on(String instance);
    }

    static Stream<Arguments> everyWriteAndFault() {
        return Stream.of(Writing.values())
                .flatMap(writing -> Stream.of(Fault.values()).map(fault -> Arguments.of(writing, fault)));
    }

    @ParameterizedTest(name = "{0} meets {1}")
    @MethodSource("everyWriteAndFault")
    @Covers({"wire 17", "wire 32", "wire 33"})
    void a_passing_fault_of_a_write_is_as_if_it_had_not_been(Writing writing, Fault fault) {
        Scene scene = writing.on(instance);
        FaultRule rule = fault.at(FaultTableIT::isWrite, 1);

        scene.run().run();

        assertThat(rule.hits()).as("the fault struck").isEqualTo(1);
        account.requireEmulator().faults().clear();
        scene.check().run();
    }

    static Stream<Arguments> everyReadAndFault() {
        return Stream.of(Writing.FETCH_TURN, Writing.FETCH_ACTIVITY, Writing.RENEW_SESSION)
                .flatMap(reading -> Stream.of(Fault.values()).map(fault -> Arguments.of(reading, fault)));
    }

    @ParameterizedTest(name = "the query of {0} meets {1}")
    @MethodSource("everyReadAndFault")
    void a_passing_fault_of_a_query_is_as_if_it_had_not_been(Writing reading, Fault fault) {
        Scene scene = reading.on(instance);
        FaultRule rule = fault.at(request -> request.operation() == RequestKind.QUERY, 1);

        scene.run().run();

        assertThat(rule.hits()).as("the fault struck").isEqualTo(1);
        account.requireEmulator().faults().clear();
        scene.check().run();
    }

    /** Faults that stay: the caller hears of a lost lock, and not before it is lost. */
    enum Lasting {
        THROTTLED(429, 3200),
        UNAVAILABLE(503, 0),
        FORBIDDEN(403, 0),
        UNAUTHORIZED(401, 0);

        private final int status;
        private final int subStatus;

        Lasting(int status, int subStatus) {
            this.status = status;
            this.subStatus = subStatus;
        }
    }

    @ParameterizedTest
    @EnumSource(Lasting.class)
    @Covers("wire 36a")
    void a_renewal_that_never_succeeds_says_so_only_when_the_lock_is_gone(Lasting lasting) {
        provider.enqueueForWorker(activity(instance, 2));
        Duration life = Duration.ofMillis(1_500);
        LockedWorkItem item = provider.fetchWorkItem(life, POLL, null, TagFilter.defaultOnly())
                .orElseThrow();
        long until = one(instance, "worker_queue").get("lockedUntil").asLong();
        FaultRule rule =
                account.requireEmulator().faults().refuse(FaultTableIT::isWrite, 0, lasting.status, lasting.subStatus);

        assertThatThrownBy(() -> provider.renewWorkItemLock(item.lockToken(), LOCK))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining("Invalid lock token");

        assertThat(store.clock().millis()).as("the lock had lapsed").isGreaterThanOrEqualTo(until);
        assertThat(rule.hits()).as("it was tried again and again").isGreaterThan(1);
        account.requireEmulator().faults().clear();
        assertThat(documents(instance, "worker_queue"))
                .as("the activity is not lost")
                .hasSize(1);
        provider.ackWorkItem(activityOf(instance).lockToken(), null);
    }

    static Stream<Arguments> everyWriteAndLastingFault() {
        return Stream.of(Writing.ACK_TURN, Writing.ACK_ACTIVITY, Writing.ENQUEUE_MESSAGE, Writing.ABANDON_ACTIVITY)
                .flatMap(writing -> Stream.of(Lasting.THROTTLED, Lasting.FORBIDDEN, Lasting.UNAUTHORIZED)
                        .map(lasting -> Arguments.of(writing, lasting)));
    }

    @ParameterizedTest
    @MethodSource("everyWriteAndLastingFault")
    @Covers("wire 32")
    void what_stays_refused_for_no_fault_of_the_request_is_never_permanent(Writing writing, Lasting lasting) {
        Scene scene = writing.on(instance);
        account.requireEmulator().faults().refuse(FaultTableIT::isWrite, 0, lasting.status, lasting.subStatus);
        Thread impatient = Thread.currentThread();
        var waker = new Thread(() -> {
            while (account.requireEmulator()
                            .requests()
                            .matching(FaultTableIT::isWrite)
                            .count()
                    < 3) {
                Thread.onSpinWait();
            }
            impatient.interrupt();
        });
        account.requireEmulator().requests().clear();
        waker.start();

        assertThatThrownBy(() -> scene.run().run())
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isTrue());

        assertThat(Thread.interrupted())
                .as("the interrupt is kept for the caller")
                .isTrue();
        account.requireEmulator().faults().clear();
        scene.run().run();
        scene.check().run();
    }

    @Test
    @Covers("wire 32")
    void an_ack_that_the_store_forbids_as_long_as_its_lock_lives_is_retryable_and_says_what_to_do() {
        provider.enqueueForOrchestrator(start(instance), null);
        LockedTurn turn = provider.fetchOrchestrationItem(Duration.ofMillis(1_500), POLL, null)
                .orElseThrow();
        account.requireEmulator().faults().refuse(FaultTableIT::isWrite, 0, 403, 5300);

        assertThatThrownBy(() -> provider.ackOrchestrationItem(firstAck(turn)))
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isTrue())
                .hasMessageContaining(instance)
                .hasMessageContaining("least-role.md");

        account.requireEmulator().faults().clear();
        provider.ackOrchestrationItem(firstAck(turnOf(instance)));
    }

    @ParameterizedTest
    @EnumSource(names = {"ACK_TURN", "ACK_ACTIVITY", "ENQUEUE_MESSAGE"})
    void a_refusal_of_this_very_request_is_permanent(Writing writing) {
        Scene scene = writing.on(instance);
        FaultRule rule = account.requireEmulator().faults().refuse(FaultTableIT::isWrite, 1, 400, 0);

        assertThatThrownBy(() -> scene.run().run())
                .isInstanceOfSatisfying(
                        ProviderException.class, e -> assertThat(e.retryable()).isFalse())
                .hasMessageContaining(instance);

        assertThat(rule.hits()).isEqualTo(1);
        scene.run().run();
        scene.check().run();
    }

    private static LockedTurn startedTurn(String instance) {
        provider.enqueueForOrchestrator(start(instance), null);
        return turnOf(instance);
    }

    /** Messages of other instances, completions that nobody waits for, are passed over. */
    private static LockedTurn turnOf(String instance) {
        LockedTurn turn = provider.fetchOrchestrationItem(LOCK, POLL, null).orElseThrow();
        assertThat(turn.item().instance()).isEqualTo(instance);
        return turn;
    }

    private static LockedWorkItem queuedActivity(String instance) {
        provider.enqueueForWorker(activity(instance, 2));
        return activityOf(instance);
    }

    private static LockedWorkItem activityOf(String instance) {
        LockedWorkItem item = provider.fetchWorkItem(LOCK, POLL, null, TagFilter.defaultOnly())
                .orElseThrow();
        assertThat(item.item().routedInstance()).isEqualTo(instance);
        return item;
    }

    private static LockedWorkItem sessionActivity(String instance) {
        provider.enqueueForWorker(new WorkItem.ActivityExecute(instance, 1, 2, "charge", "{}", "cart", null));
        return provider.fetchWorkItem(
                        LOCK, POLL, new SessionFetchConfig("worker-" + instance, LOCK), TagFilter.defaultOnly())
                .orElseThrow();
    }

    private static ObjectNode one(String instance, String type) {
        List<ObjectNode> found = documents(instance, type);
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    private static List<ObjectNode> documents(String instance, String type) {
        var options = new CosmosQueryRequestOptions().setPartitionKey(new PartitionKey(instance));
        return Objects.requireNonNull(store.container()
                .queryItems("SELECT * FROM c WHERE c.type = '" + type + "'", options, ObjectNode.class)
                .collectList()
                .block());
    }

    private static boolean isWrite(LoggedRequest request) {
        return request.operation() == RequestKind.BATCH;
    }
}
