package io.sluice.provider.kafka;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** One broker for all tests of a class, with topics of one partition and a relay's pulses for each test. */
abstract class BrokerTest {
    static TestBroker broker;

    @BeforeAll
    static void startBroker() {
        broker = TestBroker.start();
    }

    @AfterAll
    static void stopBroker() {
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
