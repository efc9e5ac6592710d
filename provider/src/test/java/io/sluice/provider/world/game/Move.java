package io.sluice.provider.world.game;

import java.util.SplittableRandom;
import java.util.function.BiConsumer;

/** The operations that are played, and how often one is drawn. */
enum Move {
    START(12, (game, random) -> game.messages().start(random)),
    MESSAGE(11, (game, random) -> game.messages().message(random)),
    ACTIVITY(4, (game, random) -> game.messages().activity(random)),
    TURN(22, (game, random) -> {
        game.turns().fetch(random);
        game.turns().ack(random);
    }),
    FETCH_TURN(10, (game, random) -> game.turns().fetch(random)),
    ACK_TURN(8, (game, random) -> game.turns().ack(random)),
    RENEW_TURN(3, (game, random) -> game.turns().renew(random)),
    ABANDON_TURN(5, (game, random) -> game.turns().abandon(random)),
    WORK(8, (game, random) -> {
        game.activities().fetch(random);
        game.activities().ack(random);
    }),
    FETCH_ACTIVITY(10, (game, random) -> game.activities().fetch(random)),
    ACK_ACTIVITY(4, (game, random) -> game.activities().ack(random)),
    RENEW_ACTIVITY(3, (game, random) -> game.activities().renew(random)),
    ABANDON_ACTIVITY(4, (game, random) -> game.activities().abandon(random)),
    RENEW_SESSIONS(2, (game, random) -> game.activities().renewSessions(random)),
    CLEAN_UP_SESSIONS(2, (game, random) -> game.activities().cleanUpSessions()),
    PASS(6, Game::pass),
    LOOK(8, (game, random) -> game.looks().one(random)),
    LOOK_AT_ALL(2, (game, random) -> game.looks().all(random)),
    DELETE(2, (game, random) -> game.removals().delete(random)),
    DELETE_LIST(1, (game, random) -> game.removals().deleteList(random)),
    DELETE_MANY(1, (game, random) -> game.removals().deleteMany(random)),
    PRUNE(2, (game, random) -> game.removals().prune(random)),
    PRUNE_MANY(1, (game, random) -> game.removals().pruneMany(random));

    private final int weight;

    @SuppressWarnings("ImmutableEnumChecker") // lambdas that hold nothing
    private final BiConsumer<Game, SplittableRandom> play;

    Move(int weight, BiConsumer<Game, SplittableRandom> play) {
        this.weight = weight;
        this.play = play;
    }

    void play(Game game, SplittableRandom random) {
        play.accept(game, random);
    }

    static Move drawn(SplittableRandom random) {
        int all = 0;
        for (var move : values()) {
            all += move.weight;
        }
        int left = random.nextInt(all);
        for (var move : values()) {
            left -= move.weight;
            if (left < 0) {
                return move;
            }
        }
        throw new AssertionError("weights are not what they were");
    }
}
