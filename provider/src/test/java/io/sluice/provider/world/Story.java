package io.sluice.provider.world;

import io.sluice.provider.world.judge.Operation.Kind;
import io.sluice.provider.world.program.Program;
import io.sluice.provider.world.program.Program.End;
import io.sluice.provider.world.program.Replay;
import java.util.List;

/**
 * What is played with one fault planned and none drawn: one program, the same each time, whose first turns and
 * activities are given back once, and whose end is the same whatever befalls a request on the way.
 */
enum Story {
    /** All that a turn of one batch can hold: key values, activities, a session, a child, an event, a cancellation. */
    ORDER {
        @Override
        Program root(long execution) {
            return new Program(
                    End.COMPLETED,
                    value("charged"),
                    new Program.Spare(1, false),
                    new Program.Together(
                            new Program.Activities(1, true), new Program.Children(1), new Program.Event("paid")),
                    value("done"),
                    new Program.CancelSpare());
        }
    },
    /** The same, whose intents are the relay's; all else happens the same way, whoever delivers. */
    ORDER_BY_RELAY {
        @Override
        Program root(long execution) {
            return ORDER.root(execution);
        }

        @Override
        boolean isDeliveredAtOnce() {
            return false;
        }

        @Override
        boolean isAtRisk(Kind kind) {
            return kind == Kind.DELIVER || kind == Kind.ACK_TURN;
        }
    },
    /** Two turns of several batches: their parts are staged, committed at once, applied and finished. */
    BIG_TURNS {
        @Override
        Program root(long execution) {
            return new Program(
                    End.COMPLETED,
                    new Program.Spare(MANY, false),
                    new Program.Activities(1, false),
                    new Program.CancelSpare());
        }
    },
    /** A turn of more messages than one batch locks. */
    MANY_MESSAGES {
        @Override
        Program root(long execution) {
            return new Program(End.COMPLETED, new Program.Timers(MANY, 1));
        }
    },
    /** An instance that is started once whoever dies over it, and keeps what is given along from turn to turn. */
    UNIQUE_START {
        @Override
        Program root(long execution) {
            return new Program(End.COMPLETED, new Program.Event("paid"));
        }
    },
    /** An instance of two executions is pruned, then deleted with its child: several partitions at once. */
    REMOVAL {
        @Override
        Program root(long execution) {
            return execution == 1 ? new Program(End.CONTINUED) : new Program(End.COMPLETED, new Program.Children(1));
        }
    };

    /** A client, a relay and two runtimes. */
    static final int PROCESSES = 4;

    private static final int MANY = 110;
    private static final Program CHILD = new Program(End.COMPLETED);

    abstract Program root(long execution);

    Program program(String instance, long execution) {
        return instance.contains(Replay.CHILD) ? CHILD : root(execution);
    }

    /** What a client asks for in the end: to prune and delete, or one more turn where turns may have left something. */
    int asked() {
        return switch (this) {
            case REMOVAL -> 2;
            case BIG_TURNS, MANY_MESSAGES -> 1;
            case ORDER, ORDER_BY_RELAY, UNIQUE_START -> 0;
        };
    }

    /** Whether acks deliver intents themselves; else they are the relay's. */
    boolean isDeliveredAtOnce() {
        return true;
    }

    /** Whether the requests of such an operation are struck; others are taken by another story. */
    boolean isAtRisk(Kind kind) {
        return true;
    }

    private static Program.Step value(String value) {
        return new Program.Values(List.of("step"), List.of(value), false);
    }
}
