package io.sluice.durabletask.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Our file says of the protocol what an SDK's does: every message, number, type and method. Needs a Python that has the
 * package {@code durabletask}: {@code python3}, or what {@code SLUICE_PYTHON} names.
 */
class DescriptorsTest {
    private static final Path SCRIPT = Path.of("src", "test", "python", "descriptors.py");
    private static final String PYTHON = Objects.requireNonNullElse(System.getenv("SLUICE_PYTHON"), "python3");
    private static final int PACKAGE_IS_MISSING = 3;
    private static final FileDescriptorProto OURS = Protocol.getDescriptor().toProto();

    @Test
    void what_an_sdk_speaks_and_what_we_speak_is_the_same() throws IOException, InterruptedException {
        List<String> theirs = theirs();

        assertThat(ours()).as("see " + SCRIPT).containsExactlyInAnyOrderElementsOf(theirs);
    }

    @Test
    void the_service_is_called_by_its_plain_name() {
        assertThat(TaskHubSidecarServiceGrpc.SERVICE_NAME)
                .as("SDKs call /TaskHubSidecarService/…, without a package")
                .isEqualTo("TaskHubSidecarService");
        assertThat(TaskHubSidecarServiceGrpc.getServiceDescriptor().getMethods())
                .hasSize(29);
    }

    private static List<String> theirs() throws IOException, InterruptedException {
        Process process;
        try {
            process = new ProcessBuilder(PYTHON, SCRIPT.toString())
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            assumeTrue(false, "the protocol is not compared with an SDK's: no " + PYTHON + " here");
            throw e;
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int exit = process.waitFor();
        assumeTrue(
                exit != PACKAGE_IS_MISSING,
                "the protocol is not compared with an SDK's: " + PYTHON
                        + " has no package durabletask (pip install durabletask)");
        assertThat(exit).as("exit code of " + SCRIPT).isZero();
        return output.lines().toList();
    }

    private static List<String> ours() {
        List<String> lines = new ArrayList<>();
        messages(OURS.getMessageTypeList(), "", lines);
        enums(OURS.getEnumTypeList(), "", lines);
        OURS.getServiceList()
                .forEach(service -> service.getMethodList()
                        .forEach(method -> lines.add("method /" + OURS.getPackage() + service.getName() + "/"
                                + method.getName() + " " + method.getInputType() + " " + method.getOutputType() + " "
                                + python(method.getClientStreaming()) + " " + python(method.getServerStreaming()))));
        return lines;
    }

    private static void messages(List<DescriptorProto> messages, String prefix, List<String> lines) {
        for (DescriptorProto message : messages) {
            String name = prefix + message.getName();
            lines.add("message " + name);
            for (FieldDescriptorProto field : message.getFieldList()) {
                String oneof = field.hasOneofIndex()
                        ? message.getOneofDecl(field.getOneofIndex()).getName()
                        : "-";
                String kind = field.getTypeName().isEmpty()
                        ? Integer.toString(field.getType().getNumber())
                        : field.getTypeName();
                lines.add("field " + name + "." + field.getName() + " " + field.getNumber() + " "
                        + field.getLabel().getNumber() + " " + kind + " " + oneof);
            }
            enums(message.getEnumTypeList(), name + ".", lines);
            messages(message.getNestedTypeList(), name + ".", lines);
        }
    }

    private static void enums(List<EnumDescriptorProto> enums, String prefix, List<String> lines) {
        enums.forEach(type -> type.getValueList()
                .forEach(value -> lines.add(
                        "enum " + prefix + type.getName() + "." + value.getName() + " " + value.getNumber())));
    }

    private static String python(boolean value) {
        return value ? "True" : "False";
    }
}
