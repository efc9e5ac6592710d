"""Prints what the SDK's descriptor of the protocol says: messages, fields, enums and methods, one a line, sorted.

Exits with 3 when the package `durabletask` is not there.
"""
import sys

try:
    from durabletask.internal import orchestrator_service_pb2 as protocol
    from google.protobuf import descriptor_pb2
except ImportError as missing:
    print(missing, file=sys.stderr)
    sys.exit(3)


def messages(holder, prefix, lines):
    for message in holder:
        name = prefix + message.name
        lines.append(f"message {name}")
        for field in message.field:
            oneof = message.oneof_decl[field.oneof_index].name if field.HasField("oneof_index") else "-"
            kind = field.type_name or str(field.type)
            lines.append(f"field {name}.{field.name} {field.number} {field.label} {kind} {oneof}")
        enums(message.enum_type, name + ".", lines)
        messages(message.nested_type, name + ".", lines)


def enums(holder, prefix, lines):
    for enum in holder:
        for value in enum.value:
            lines.append(f"enum {prefix}{enum.name}.{value.name} {value.number}")


file = descriptor_pb2.FileDescriptorProto()
protocol.DESCRIPTOR.CopyToProto(file)
lines = []
messages(file.message_type, "", lines)
enums(file.enum_type, "", lines)
for service in file.service:
    for method in service.method:
        lines.append(
            f"method /{file.package}{service.name}/{method.name} {method.input_type} {method.output_type} "
            f"{method.client_streaming} {method.server_streaming}")
print("\n".join(sorted(lines)))
