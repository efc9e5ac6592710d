package io.sluice.relay.cli;

import io.sluice.program.cli.ProgramLine;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/** The levels of the program's logging configuration. */
public final class LogLevels {
    private LogLevels() {}

    /** By logger, in the file's order; {@code root} is the rest. */
    static Map<String, String> ofProgram() throws IOException {
        Map<String, String> levels = new LinkedHashMap<>();
        try (var in = ProgramLine.class.getResourceAsStream("/io/sluice/program/logback.xml")) {
            var root = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(in)
                    .getDocumentElement();
            var children = root.getChildNodes();
            for (int i = 0; i < children.getLength(); i++) {
                if (children.item(i) instanceof Element element && element.hasAttribute("level")) {
                    var name = element.getTagName().equals("root") ? "root" : element.getAttribute("name");
                    levels.put(name, element.getAttribute("level"));
                }
            }
        } catch (ParserConfigurationException | SAXException e) {
            throw new IOException("the program's logback.xml is no XML", e);
        }
        return levels;
    }
}
