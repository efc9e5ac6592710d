package io.sluice.relay.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.sluice.relay.command.parse.CommandParser;
import io.sluice.relay.command.parse.ParsedCommand;
import io.sluice.relay.contract.TopicValue;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The schema in the jar and the parser tell the same commands from the same nonsense. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CommandSchemaTest {
    private static final JsonSchema SCHEMA = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
            .getSchema(Objects.requireNonNull(
                    CommandParser.class.getResourceAsStream(TopicValue.FOLDER + "command.schema.json")));

    private static boolean fitsTheSchema(String json) {
        return SCHEMA.validate(json, InputFormat.JSON).isEmpty();
    }

    private static boolean parses(String json) {
        var message = new ConsumerRecord<>("commands", 0, 0, new byte[0], json.getBytes(UTF_8));
        return CommandParser.parse(message, "") instanceof ParsedCommand.Valid;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'type':'start','instance':'i','orchestration':'o','input':''}",
                "{'type':'start','instance':'i','orchestration':'o','input':'{}','version':'1.0.0'}",
                "{'type':'start','instance':'i','orchestration':'o','input':'{}','version':null,'more':[1]}",
                "{'type':'raiseEvent','instance':'i','name':'n','data':'d'}",
                "{'type':'message','instance':'i','queue':'q','data':'d'}",
                "{'type':'cancel','instance':'i','reason':''}",
                "{'type':'cancel','instance':'i','reason':'','name':7}",
            })
    void both_take_it(String text) {
        var json = text.replace('\'', '"');

        assertThat(fitsTheSchema(json)).as("schema").isTrue();
        assertThat(parses(json)).as("parser").isTrue();
    }

    static Stream<String> nonsense() {
        return Stream.of(
                "{}",
                "[]",
                "7",
                "null",
                "{'type':'cancel'}",
                "{'type':'cancel','instance':'','reason':''}",
                "{'type':'cancel','instance':null,'reason':''}",
                "{'type':'cancel','instance':7,'reason':''}",
                "{'type':'cancel','instance':'i'}",
                "{'type':'cancel','instance':'i','reason':null}",
                "{'type':'Cancel','instance':'i','reason':''}",
                "{'type':7,'instance':'i','reason':''}",
                "{'instance':'i','reason':''}",
                "{'type':'start','instance':'i','input':''}",
                "{'type':'start','instance':'i','orchestration':'o'}",
                "{'type':'start','instance':'i','orchestration':'o','input':{}}",
                "{'type':'start','instance':'i','orchestration':'o','input':'','version':1}",
                "{'type':'raiseEvent','instance':'i','name':'n'}",
                "{'type':'raiseEvent','instance':'i','data':'n'}",
                "{'type':'raiseEvent','instance':'i','name':['n'],'data':''}",
                "{'type':'message','instance':'i','name':'n','data':''}",
                "{'type':'message','instance':'i','queue':'n'}",
                "{'type':'explode','instance':'i'}");
    }

    @ParameterizedTest
    @MethodSource("nonsense")
    void both_refuse_it(String text) {
        var json = text.replace('\'', '"');

        assertThat(fitsTheSchema(json)).as("schema").isFalse();
        assertThat(parses(json)).as("parser").isFalse();
    }
}
