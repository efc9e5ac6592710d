/*
 * The query language of Cosmos DB for NoSQL.
 *
 * Every chain of operators of one precedence is one flat rule, so that a long chain makes a wide parse tree and not a
 * deep one; what can nest is counted on the token stream before parsing (see QueryParser).
 */
grammar CosmosSql;

program : query EOF ;

query : selectClause fromClause? whereClause? groupByClause? orderByClause? offsetLimitClause? ;

selectClause : SELECT DISTINCT? topSpec? selection ;
topSpec : TOP countSpec ;
countSpec : NUMBER | PARAMETER ;

selection
    : STAR                                          # selectStar
    | VALUE scalar                                  # selectValue
    | selectItem (COMMA selectItem)*                # selectList
    ;
selectItem : scalar (AS? identifier)? ;

fromClause : FROM fromItem (JOIN fromItem)* ;
fromItem
    : identifier IN collection                      # fromIterator
    | collection (AS? identifier)?                  # fromCollection
    ;
collection
    : identifier pathStep*                          # collectionPath
    | LPAREN query RPAREN                           # collectionSubquery
    | functionName LPAREN (scalar (COMMA scalar)*)? RPAREN      # collectionFunction
    ;
pathStep
    : DOT identifier
    | LBRACKET (NUMBER | STRING) RBRACKET
    ;

whereClause : WHERE scalar ;
groupByClause : GROUP BY scalar (COMMA scalar)* ;
orderByClause : ORDER BY RANK? orderByItem (COMMA orderByItem)* ;
orderByItem : scalar (ASC | DESC)? ;
offsetLimitClause : OFFSET countSpec LIMIT countSpec ;

scalar : coalesce (QUESTION scalar COLON coalesce)* ;
coalesce : disjunction (COALESCE disjunction)* ;
disjunction : conjunction (OR conjunction)* ;
conjunction : predicate (AND predicate)* ;

predicate : concatenation predicateTail? ;
predicateTail
    : NOT? IN LPAREN scalar (COMMA scalar)* RPAREN                              # inTail
    | NOT? BETWEEN concatenation AND concatenation                              # betweenTail
    | NOT? LIKE concatenation (ESCAPE STRING)?                                  # likeTail
    ;

concatenation : bitwiseOr (CONCAT bitwiseOr)* ;
bitwiseOr : bitwiseXor (PIPE bitwiseXor)* ;
bitwiseXor : bitwiseAnd (CARET bitwiseAnd)* ;
bitwiseAnd : equality (AMPERSAND equality)* ;
equality : relation ((EQ | NE) relation)* ;
relation : shift ((LT | LE | GT | GE) shift)* ;
shift : sum ((SHIFT_LEFT | SHIFT_RIGHT | SHIFT_RIGHT_ZERO) sum)* ;
sum : product ((PLUS | MINUS) product)* ;
product : unary ((STAR | SLASH | PERCENT) unary)* ;
unary : (NOT | MINUS | PLUS | TILDE)* postfix ;
postfix : primary step* ;
step
    : DOT identifier
    | LBRACKET scalar RBRACKET
    ;

primary
    : literal                                                                   # literalPrimary
    | PARAMETER                                                                 # parameterPrimary
    | LBRACKET (scalar (COMMA scalar)*)? RBRACKET                               # arrayPrimary
    | LBRACE (objectProperty (COMMA objectProperty)*)? RBRACE                   # objectPrimary
    | LPAREN query RPAREN                                                       # subqueryPrimary
    | LPAREN scalar RPAREN                                                      # parenthesizedPrimary
    | kind=(EXISTS | ARRAY | ALL | FIRST | LAST) LPAREN query RPAREN            # quantifiedPrimary
    | (UDF DOT)? functionName LPAREN (scalar (COMMA scalar)*)? RPAREN           # functionPrimary
    | identifier                                                                # identifierPrimary
    ;
objectProperty : (STRING | identifier) COLON scalar ;
functionName : identifier | LEFT | RIGHT ;
literal : STRING | NUMBER | TRUE | FALSE | NULL | UNDEFINED ;
/* Words that are keywords in one place only remain names everywhere else. */
identifier : IDENTIFIER | ALL | FIRST | LAST | RANK ;

ALL : A L L ;
AND : A N D ;
ARRAY : A R R A Y ;
AS : A S ;
ASC : A S C ;
BETWEEN : B E T W E E N ;
BY : B Y ;
DESC : D E S C ;
DISTINCT : D I S T I N C T ;
ESCAPE : E S C A P E ;
EXISTS : E X I S T S ;
FALSE : 'false' ;
FIRST : F I R S T ;
FROM : F R O M ;
GROUP : G R O U P ;
IN : I N ;
JOIN : J O I N ;
LAST : L A S T ;
LEFT : L E F T ;
LIKE : L I K E ;
LIMIT : L I M I T ;
NOT : N O T ;
NULL : 'null' ;
OFFSET : O F F S E T ;
OR : O R ;
ORDER : O R D E R ;
RANK : R A N K ;
RIGHT : R I G H T ;
SELECT : S E L E C T ;
TOP : T O P ;
TRUE : 'true' ;
UDF : 'udf' ;
UNDEFINED : 'undefined' ;
VALUE : V A L U E ;
WHERE : W H E R E ;

LPAREN : '(' ;
RPAREN : ')' ;
LBRACKET : '[' ;
RBRACKET : ']' ;
LBRACE : '{' ;
RBRACE : '}' ;
COMMA : ',' ;
DOT : '.' ;
COLON : ':' ;
COALESCE : '??' ;
QUESTION : '?' ;
STAR : '*' ;
SLASH : '/' ;
PERCENT : '%' ;
PLUS : '+' ;
MINUS : '-' ;
TILDE : '~' ;
CONCAT : '||' ;
PIPE : '|' ;
CARET : '^' ;
AMPERSAND : '&' ;
EQ : '=' ;
NE : '!=' | '<>' ;
SHIFT_RIGHT_ZERO : '>>>' ;
SHIFT_RIGHT : '>>' ;
SHIFT_LEFT : '<<' ;
LE : '<=' ;
LT : '<' ;
GE : '>=' ;
GT : '>' ;

PARAMETER : '@' NAME ;
IDENTIFIER : NAME ;
NUMBER
    : DIGIT+ ('.' DIGIT*)? (E [-+]? DIGIT+)?
    | '.' DIGIT+ (E [-+]? DIGIT+)?
    ;
STRING
    : '"' (ESC | ~["\\])* '"'
    | '\'' (ESC | ~['\\])* '\''
    ;

LINE_COMMENT : '--' ~[\r\n]* -> skip ;
WHITESPACE : [ \t\r\n\f\u00A0]+ -> skip ;
INVALID : . ;

fragment ESC : '\\' (["'\\/bfnrt] | 'u' HEX HEX HEX HEX) ;
fragment NAME : [\p{L}_] [\p{L}\p{M}\p{N}_]* ;
fragment HEX : [0-9a-fA-F] ;
fragment DIGIT : [0-9] ;
fragment A : [aA] ;
fragment B : [bB] ;
fragment C : [cC] ;
fragment D : [dD] ;
fragment E : [eE] ;
fragment F : [fF] ;
fragment G : [gG] ;
fragment H : [hH] ;
fragment I : [iI] ;
fragment J : [jJ] ;
fragment K : [kK] ;
fragment L : [lL] ;
fragment M : [mM] ;
fragment N : [nN] ;
fragment O : [oO] ;
fragment P : [pP] ;
fragment R : [rR] ;
fragment S : [sS] ;
fragment T : [tT] ;
fragment U : [uU] ;
fragment V : [vV] ;
fragment W : [wW] ;
fragment X : [xX] ;
fragment Y : [yY] ;
