package io.github.liquidscheduler.formats.input;

import io.github.liquidscheduler.formats.InputFormatException;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.MissingResourceException;
import java.util.Optional;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * An element of an XML text: its line and its number in the order of the text, both from 1, its
 * attributes by name, and the elements in it. Text is not kept.
 */
public record XmlElement(
    String source,
    int line,
    int number,
    String name,
    Map<String, String> attributes,
    List<XmlElement> children) {

  private static final int DEEPEST = 64;
  private static final int MOST_ELEMENTS = 1_000_000;

  /**
   * Returns the outermost element of a text. Document types and external entities are not read.
   *
   * @param source what messages call the text
   * @throws InputFormatException if it is not well-formed, or larger or deeper than any topology
   */
  public static XmlElement parse(String source, String text) {
    XMLInputFactory factory = XMLInputFactory.newInstance();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    try {
      return parse(source, factory.createXMLStreamReader(new StringReader(text)));
    } catch (XMLStreamException e) {
      int line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNumber());
      throw notWellFormed(source, line, e);
    } catch (MissingResourceException e) {
      // The JDK has no text for some of the errors in a document type.
      throw notWellFormed(source, 1, e);
    }
  }

  private static InputFormatException notWellFormed(String source, int line, Exception cause) {
    return new InputFormatException(
        "%s:%d: the XML must be well-formed, but is not".formatted(source, line), cause);
  }

  private static XmlElement parse(String source, XMLStreamReader xml) throws XMLStreamException {
    Deque<XmlElement> open = new ArrayDeque<>();
    int elements = 0;
    while (true) {
      int event = xml.next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        XmlElement element = start(source, ++elements, xml);
        if (open.size() == DEEPEST || elements > MOST_ELEMENTS) {
          throw element.error("the XML must be at most 64 deep and have at most 1000000 elements");
        }
        if (!open.isEmpty()) {
          open.peek().children.add(element);
        }
        open.push(element);
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        XmlElement ended = open.pop();
        if (open.isEmpty()) {
          return ended;
        }
      }
    }
  }

  private static XmlElement start(String source, int number, XMLStreamReader xml) {
    Map<String, String> attributes = new LinkedHashMap<>();
    for (int i = 0; i < xml.getAttributeCount(); i++) {
      attributes.put(xml.getAttributeLocalName(i), xml.getAttributeValue(i));
    }
    return new XmlElement(
        source,
        xml.getLocation().getLineNumber(),
        number,
        xml.getLocalName(),
        attributes,
        new ArrayList<>());
  }

  /** Returns an attribute; empty if it is not there or blank. */
  public Optional<String> attribute(String called) {
    return Optional.ofNullable(attributes.get(called)).map(String::strip).filter(t -> !t.isEmpty());
  }

  /** Returns a whole number from 0 to {@code most}; empty if it is not there. */
  public Optional<Integer> number(String called, int most) {
    Optional<String> text = attribute(called);
    if (text.isPresent()
        && (!text.get().matches("[0-9]{1,9}") || Integer.parseInt(text.get()) > most)) {
      throw error(
          "'%s' must be a whole number from 0 to %d, but was %s"
              .formatted(called, most, Quoted.of(text.get())));
    }
    return text.map(Integer::valueOf);
  }

  /** Returns the elements in it that are called so, in their order. */
  public List<XmlElement> children(String called) {
    return children.stream().filter(child -> child.name.equals(called)).toList();
  }

  /** Returns an exception about a rule broken by this element. */
  public InputFormatException error(String rule) {
    return new InputFormatException("%s:%d: <%s>: %s".formatted(source, line, name, rule));
  }
}
