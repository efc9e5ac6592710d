package com.example.durabletask;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** A scenario that the Python SDK's in-memory backend can't judge: left out there, with the reason; a host is asked. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(BeyondInMemory.Condition.class)
@interface BeyondInMemory {

    /** What that backend does instead. */
    String value();

    final class Condition implements ExecutionCondition {

        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return AnnotationSupport.findAnnotation(context.getElement(), BeyondInMemory.class)
                    .filter(why -> "1".equals(System.getenv("SLUICE_DURABLETASK_IN_MEMORY")))
                    .map(why -> ConditionEvaluationResult.disabled("the in-memory backend " + why.value()))
                    .orElse(ConditionEvaluationResult.enabled("a host is judged"));
        }
    }
}
