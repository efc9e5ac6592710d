package io.sluice.provider.kafka;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** One broker for all tests of a class, with topics of one partition and a relay's pulses for each test. */
@TestInstance(Lifecycle.PER_CLASS)
abstract class BrokerTest {
    TestBroker broker;

    @BeforeAll
    void startBroker() {
        broker = TestBroker.shared();
    }

    @AfterAll
    void stopBroker() {
        broker.close();
    }

    @BeforeEach
    void newTopics() {
        broker.newTopics(1).startPulses();
    }

    @AfterEach
    void stopPulses() {
        broker.stopPulses();
    }
}
