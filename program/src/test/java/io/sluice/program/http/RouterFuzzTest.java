package io.sluice.program.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.sluice.testkit.fuzz.Fuzz;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/**
 * Calls with damage in line and token: each is answered with a status that the documentation has, and without the token
 * nothing is changed.
 */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RouterFuzzTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final OpsToken TOKEN = new OpsToken("token-of-the-fuzz-0123");
    private static final Set<Integer> STATUSES = Set.of(200, 400, 401, 404, 405, 414);
    private static final List<String> CALLS = List.of(
            "GET /\n",
            "GET /things/a%2Fb%3Ac%20%C3%A4?limit=10&after=x%26y&status=running\n",
            "GET /things?from=2026-01-31T12:00:00Z;to=x\n",
            "POST /things/a/drop\nBearer token-of-the-fuzz-0123",
            "POST /things/drop?source=a+b\nBasic token-of-the-fuzz-0123");

    private boolean changed;
    private final Router router = new Router(
            List.of(
                    Endpoint.get("/", call -> Answer.text("text/plain", "root")),
                    Endpoint.get("/things", Set.of("from"), call -> Answer.json(200, call.query())),
                    Endpoint.get(
                            "/things/{id}",
                            Set.of("limit", "after", "status"),
                            call -> Answer.json(200, Map.of(call.segment("id"), call.query()))),
                    Endpoint.post("/things/drop", Set.of("source"), call -> dropped("all")),
                    Endpoint.post("/things/{id}/drop", call -> dropped(call.segment("id")))),
            new OpsPort("127.0.0.1", 0, TOKEN.authorization().substring("Bearer ".length())));

    private Answer dropped(String id) {
        changed = true;
        return Answer.json(200, Map.of("dropped", id));
    }

    @Test
    void a_damaged_call_is_answered_and_changes_nothing_without_the_token() {
        Fuzz.of("calls of operators", CALLS).runs(5_000).read(text -> {
            int end = text.indexOf('\n');
            var line = (end < 0 ? text : text.substring(0, end)).split(" ", 2);
            var authorization = end < 0 ? "" : text.substring(end + 1);
            changed = false;

            var route = router.route(new Router.Request(line[0], line.length < 2 ? "" : line[1], authorization, false));
            var answer =
                    route instanceof Router.Route.None none ? none.answer() : Router.answer((Router.Route.Found) route);

            assertThat(STATUSES).contains(answer.status());
            if (answer.contentType().equals("application/json")) {
                assertThat(JSON.readTree(answer.body()).isObject()).isTrue();
            }
            assertThat(changed && !authorization.equalsIgnoreCase(TOKEN.authorization()))
                    .as("changed without the token")
                    .isFalse();
        });
    }
}
