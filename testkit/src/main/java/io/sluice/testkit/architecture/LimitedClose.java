package io.sluice.testkit.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.List;
import java.util.stream.Stream;

/**
 * Closes Kafka's clients with a limit: {@code close()} of an admin client waits for up to five minutes for a call that
 * gets no answer, and that of a producer or of streams for ever. A {@code try} that holds the client calls it too. A
 * subclass may have a {@code close()} of its own. That of consumers has a limit, 30 s or less.
 */
final class LimitedClose extends ArchCondition<JavaClass> {
    private static final List<String> CLIENTS = List.of(
            "org.apache.kafka.clients.admin.Admin",
            "org.apache.kafka.clients.producer.Producer",
            "org.apache.kafka.streams.KafkaStreams");

    LimitedClose() {
        super("close Kafka's clients with a limit");
    }

    @Override
    public void check(JavaClass type, ConditionEvents events) {
        Stream.concat(type.getMethodCallsFromSelf().stream(), type.getMethodReferencesFromSelf().stream())
                .filter(LimitedClose::closesWithoutLimit)
                .forEach(call -> events.add(SimpleConditionEvent.violated(type, call.getDescription())));
    }

    private static boolean closesWithoutLimit(JavaCodeUnitAccess<?> call) {
        return call.getTarget().getName().equals("close")
                && call.getTarget().getRawParameterTypes().isEmpty()
                && CLIENTS.stream().anyMatch(call.getTargetOwner()::isAssignableTo)
                && isOfKafka(call);
    }

    private static boolean isOfKafka(JavaCodeUnitAccess<?> call) {
        JavaClass declaring =
                call.getTarget().resolveMember().map(JavaMember::getOwner).orElse(call.getTargetOwner());
        return declaring.getPackageName().startsWith("org.apache.kafka");
    }
}
