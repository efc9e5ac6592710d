package io.sluice.provider.conformance;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;

/** The tests of all modules, read from their sources: no module sees the test classes of the others. */
final class TestSources {
    private TestSources() {}

    /**
     * A test, or a class of tests.
     *
     * @param module folder of the module
     * @param className simple name, with those it is nested in
     * @param method null for the class
     * @param covers what its {@code @Covers} names
     */
    record Found(
            String module,
            String packageName,
            String className,
            @Nullable String method,
            List<String> covers) {
        /** What a reader looks for. */
        String label() {
            return method == null ? className : className + "." + method;
        }
    }

    /** Every test method of the contract, and all with {@code @Covers}, in the order of the files' names. */
    static List<Found> under(Path root) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> modules = Files.list(root).sorted()) {
            for (Path tests : modules.map(module -> module.resolve("src/test/java"))
                    .filter(Files::isDirectory)
                    .toList()) {
                try (Stream<Path> sources = Files.walk(tests)) {
                    for (Path file : sources.filter(each -> each.toString().endsWith(".java"))
                            .sorted()
                            .toList()) {
                        if (file.toString().contains("/contract/")
                                || Files.readString(file).contains("@Covers")) {
                            files.add(file);
                        }
                    }
                }
            }
        }
        JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler(), "needs a JDK");
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            var task = (JavacTask) compiler.getTask(
                    null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            List<Found> found = new ArrayList<>();
            for (CompilationUnitTree unit : task.parse()) {
                Path file = Path.of(unit.getSourceFile().toUri());
                String module = root.toRealPath()
                        .relativize(file.toRealPath())
                        .getName(0)
                        .toString();
                new Scanner(module, String.valueOf(unit.getPackageName()), found).scan(unit, null);
            }
            return found;
        }
    }

    private static final class Scanner extends TreeScanner<@Nullable Void, @Nullable Void> {
        private final String module;
        private final String packageName;
        private final List<Found> found;
        private String className = "";

        Scanner(String module, String packageName, List<Found> found) {
            this.module = module;
            this.packageName = packageName;
            this.found = found;
        }

        @Override
        public @Nullable Void visitClass(ClassTree type, @Nullable Void nothing) {
            String outer = className;
            className = outer.isEmpty() ? type.getSimpleName().toString() : outer + "." + type.getSimpleName();
            List<String> covers = covers(type.getModifiers());
            if (!covers.isEmpty()) {
                found.add(new Found(module, packageName, className, null, covers));
            }
            super.visitClass(type, null);
            className = outer;
            return null;
        }

        @Override
        public @Nullable Void visitMethod(MethodTree method, @Nullable Void nothing) {
            boolean test = method.getModifiers().getAnnotations().stream()
                    .map(annotation -> annotation.getAnnotationType().toString())
                    .anyMatch(name -> name.endsWith("Test") || name.endsWith("TestFactory"));
            if (test) {
                found.add(new Found(
                        module, packageName, className, method.getName().toString(), covers(method.getModifiers())));
            }
            return null;
        }

        private static List<String> covers(ModifiersTree modifiers) {
            List<String> covers = new ArrayList<>();
            for (AnnotationTree annotation : modifiers.getAnnotations()) {
                if (annotation.getAnnotationType().toString().endsWith("Covers")) {
                    new TreeScanner<@Nullable Void, @Nullable Void>() {
                        @Override
                        public @Nullable Void visitLiteral(LiteralTree literal, @Nullable Void nothing) {
                            covers.add(String.valueOf(literal.getValue()));
                            return null;
                        }
                    }.scan(annotation.getArguments(), null);
                }
            }
            return covers;
        }
    }
}
