package io.sluice.connect;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/** One run of the program: its exit code, and what it printed. */
record ProgramRun(int code, String out, String err) {
    static ProgramRun of(Map<String, String> environment, String... args) {
        var out = new StringWriter();
        var err = new StringWriter();
        int code = Main.commandLine(environment)
                .setOut(new PrintWriter(out, true))
                .setErr(new PrintWriter(err, true))
                .execute(args);
        return new ProgramRun(code, out.toString(), err.toString());
    }
}
