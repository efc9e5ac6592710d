package io.sluice.emulator.query;

import io.sluice.emulator.query.grammar.CosmosSqlLexer;
import io.sluice.emulator.query.grammar.CosmosSqlParser;
import io.sluice.emulator.query.tree.SelectQuery;
import java.util.ArrayDeque;
import java.util.Deque;
import org.antlr.v4.runtime.BaseErrorListener;
import org.antlr.v4.runtime.CharStreams;
import org.antlr.v4.runtime.CommonTokenStream;
import org.antlr.v4.runtime.RecognitionException;
import org.antlr.v4.runtime.Recognizer;
import org.antlr.v4.runtime.Token;

/** Turns the text of a query into its tree. Limits are checked on the tokens, before anything can grow deep. */
final class QueryParser {
    /** The service's limit on the length of a query. */
    static final int MOST_CHARACTERS = 524_288;
    /** How deep brackets and conditionals may nest: deeper ones would need a deep stack to parse and to run. */
    static final int DEEPEST_NESTING = 100;

    private QueryParser() {}

    static SelectQuery parse(String sql) {
        if (sql.length() > MOST_CHARACTERS) {
            throw new QuerySyntaxException(
                    "The SQL query text exceeded the maximum limit of " + MOST_CHARACTERS + " characters, was "
                            + sql.length(),
                    MOST_CHARACTERS);
        }
        CosmosSqlLexer lexer = new CosmosSqlLexer(CharStreams.fromString(sql));
        lexer.removeErrorListeners();
        CommonTokenStream tokens = new CommonTokenStream(lexer);
        tokens.fill();
        checkTokens(tokens);
        CosmosSqlParser parser = new CosmosSqlParser(tokens);
        parser.removeErrorListeners();
        parser.addErrorListener(new Failing());
        return new QueryBuilder(QueryContext.outermost()).build(parser.program().query());
    }

    private static void checkTokens(CommonTokenStream tokens) {
        if (tokens.get(0).getType() == Token.EOF) {
            throw new QuerySyntaxException(QuerySyntaxException.EMPTY, "Syntax error, the query is empty.", 0, 0);
        }
        Deque<Integer> open = new ArrayDeque<>();
        for (Token token : tokens.getTokens()) {
            if (token.getType() == CosmosSqlLexer.INVALID) {
                throw QuerySyntaxException.at(
                        token,
                        QuerySyntaxException.INVALID_TOKEN,
                        "Syntax error, invalid token '" + token.getText() + "'.");
            }
            follow(open, token.getType());
            if (open.size() > DEEPEST_NESTING) {
                throw QuerySyntaxException.at(
                        token,
                        QuerySyntaxException.UNSUPPORTED,
                        "The query is nested deeper than " + DEEPEST_NESTING + " levels.");
            }
        }
    }

    /** Keeps the stack of open constructs: brackets, and the middle of conditionals. */
    private static void follow(Deque<Integer> open, int type) {
        switch (type) {
            case CosmosSqlLexer.LPAREN, CosmosSqlLexer.LBRACKET, CosmosSqlLexer.LBRACE, CosmosSqlLexer.QUESTION ->
                open.push(type);
            case CosmosSqlLexer.COLON -> {
                if (!open.isEmpty() && open.element() == CosmosSqlLexer.QUESTION) {
                    open.pop();
                }
            }
            case CosmosSqlLexer.RPAREN, CosmosSqlLexer.RBRACKET, CosmosSqlLexer.RBRACE -> {
                while (!open.isEmpty() && open.pop() == CosmosSqlLexer.QUESTION) {
                    // A conditional without its colon: the parser will say so.
                }
            }
            default -> {}
        }
    }

    /** Ends the parse at the first error. */
    private static final class Failing extends BaseErrorListener {
        @Override
        public void syntaxError(
                Recognizer<?, ?> recognizer,
                Object offendingSymbol,
                int line,
                int column,
                String message,
                RecognitionException cause) {
            Token token = (Token) offendingSymbol;
            boolean atEnd = token.getType() == Token.EOF;
            throw QuerySyntaxException.at(
                    token,
                    QuerySyntaxException.SYNTAX,
                    atEnd
                            ? "Syntax error, unexpected end of the query."
                            : "Syntax error, incorrect syntax near '" + token.getText() + "'.");
        }
    }
}
