package io.sluice.emulator.query;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.emulator.query.value.EvaluationException;
import org.antlr.v4.runtime.ParserRuleContext;
import org.antlr.v4.runtime.Token;

/**
 * A query that cannot be answered: it does not parse, asks for something that is not supported, or fails while running
 * (a division by zero). To a client it is a 400 with the body of {@link #errors()}.
 */
public final class QuerySyntaxException extends RuntimeException {
    static final String SYNTAX = "SC1001";
    static final String EMPTY = "SC1002";
    static final String INVALID_TOKEN = "SC1010";
    static final String UNRESOLVED = "SC2001";
    static final String UNKNOWN_FUNCTION = "SC2005";
    static final String DUPLICATE_ALIAS = "SC2022";
    static final String STAR_INPUT = "SC2040";
    static final String STAR_WITH_GROUP_BY = "SC2041";
    static final String ARGUMENT_COUNT = "SC2050";
    static final String NESTED_AGGREGATE = "SC2101";
    static final String NOT_GROUPED = "SC2102";
    static final String ORDER_BY_PATH = "2206";
    /** The code of what the service may accept and this emulator does not. */
    static final String UNSUPPORTED = EvaluationException.UNSUPPORTED;

    private static final long serialVersionUID = 1L;
    private static final int NOWHERE = -1;

    private final String code;
    private final int position;
    private final int end;

    /** The error with this message at this offset (characters from the start of the query). */
    public QuerySyntaxException(String message, int position) {
        this(SYNTAX, message, position, position + 1);
    }

    QuerySyntaxException(String code, String message, int position, int end) {
        super(message);
        this.code = code;
        this.position = position;
        this.end = end;
    }

    static QuerySyntaxException at(ParserRuleContext place, String code, String message) {
        Token stop = place.getStop() == null ? place.getStart() : place.getStop();
        return new QuerySyntaxException(code, message, place.getStart().getStartIndex(), stop.getStopIndex() + 1);
    }

    static QuerySyntaxException at(Token token, String code, String message) {
        return new QuerySyntaxException(code, message, token.getStartIndex(), token.getStopIndex() + 1);
    }

    static QuerySyntaxException of(EvaluationException failure) {
        QuerySyntaxException refusal = new QuerySyntaxException(
                failure.code(), String.valueOf(failure.getMessage()), failure.start(), failure.end());
        refusal.initCause(failure);
        return refusal;
    }

    /** The service's code of the error, such as {@code SC1001} for a syntax error. */
    public String code() {
        return code;
    }

    /** Where the error is, in characters from the start of the query; -1 when it is in no one place. */
    public int position() {
        return position;
    }

    /** The error as the service writes it: {@code {"errors":[{severity, location{start, end}, code, message}]}}. */
    public ObjectNode errors() {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        ObjectNode error = body.putArray("errors").addObject();
        error.put("severity", "Error");
        if (position != NOWHERE) {
            error.putObject("location").put("start", position).put("end", end);
        }
        error.put("code", code);
        error.put("message", getMessage());
        return body;
    }
}
