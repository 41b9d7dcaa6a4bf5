package io.github.liquidscheduler.lab.conformance;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** What came of the cases of a file. */
public final class ConformanceReport {

  private static final Pattern POSITION = Pattern.compile("\\[\\d+](?=[^ ]*: )");

  private final List<GradedCase> cases;

  ConformanceReport(List<GradedCase> cases) {
    this.cases = List.copyOf(cases);
  }

  /**
   * How many cases of an area and a scope went how.
   *
   * @param area what they are about
   * @param scope {@code core}, {@code extended} or {@code peer-specific}
   * @param counts how many by verdict; none where a verdict is missing
   */
  public record Row(String area, String scope, Map<Verdict, Integer> counts) {

    /** Copies the counts. */
    public Row {
      counts = new TreeMap<>(counts);
    }

    /** Returns how many cases had this verdict. */
    public int count(Verdict verdict) {
      return counts.getOrDefault(verdict, 0);
    }

    /** Returns how many cases there are. */
    public int total() {
      return counts.values().stream().mapToInt(Integer::intValue).sum();
    }
  }

  /**
   * Why cases did not pass.
   *
   * @param verdict what became of them
   * @param reason what they have in common
   * @param cases the cases
   */
  public record Cause(Verdict verdict, String reason, List<String> cases) {

    /** Copies the cases. */
    public Cause {
      cases = List.copyOf(cases);
    }
  }

  /** Returns the cases in the order of the file. */
  List<GradedCase> cases() {
    return cases;
  }

  /** Returns the counts by area and scope, in order of these. */
  public List<Row> rows() {
    Map<Row, Row> rows = new TreeMap<>(Comparator.comparing(Row::area).thenComparing(Row::scope));
    for (GradedCase each : cases) {
      Row row = new Row(each.area(), each.scope(), Map.of(each.verdict(), 1));
      rows.merge(row, row, ConformanceReport::sum);
    }
    return List.copyOf(rows.values());
  }

  private static Row sum(Row some, Row more) {
    Map<Verdict, Integer> counts = new TreeMap<>(some.counts());
    more.counts().forEach((verdict, count) -> counts.merge(verdict, count, Integer::sum));
    return new Row(some.area(), some.scope(), counts);
  }

  /** Returns why cases differ, failed or were skipped; the most frequent causes first. */
  public List<Cause> causes() {
    Map<Verdict, Map<String, List<String>>> causes = new TreeMap<>();
    for (GradedCase each : cases) {
      if (each.verdict() != Verdict.PASSED && each.verdict() != Verdict.NOT_GRADED) {
        causes
            .computeIfAbsent(each.verdict(), verdict -> new TreeMap<>())
            .computeIfAbsent(anywhere(each.reason()), reason -> new ArrayList<>())
            .add(each.id());
      }
    }
    List<Cause> listed = new ArrayList<>();
    causes.forEach(
        (verdict, reasons) ->
            reasons.forEach((reason, ids) -> listed.add(new Cause(verdict, reason, ids))));
    listed.sort(
        Comparator.comparing(Cause::verdict)
            .thenComparing(cause -> cause.cases().size(), Comparator.reverseOrder()));
    return listed;
  }

  /** Returns a reason without the positions in lists that it names. */
  private static String anywhere(String reason) {
    return POSITION.matcher(reason).replaceAll("[]");
  }

  /** Returns the cases as JSON: what came of each, in the form of what it expects, by name. */
  public String json() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.useDefaultPrettyPrinter();
      json.writeStartObject();
      json.writeArrayFieldStart("cases");
      for (GradedCase each : cases) {
        write(json, each);
      }
      json.writeEndArray();
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return text + "\n";
  }

  private static void write(JsonGenerator json, GradedCase each) throws IOException {
    json.writeStartObject();
    json.writeStringField("id", each.id());
    json.writeStringField("verdict", each.verdict().toString());
    if (!each.reason().isEmpty()) {
      json.writeStringField("reason", each.reason());
    }
    if (each.result().isPresent()) {
      json.writeFieldName("result");
      write(json, each.result().get().fields());
    }
    json.writeEndObject();
  }

  private static void write(JsonGenerator json, Object value) throws IOException {
    switch (value) {
      case Map<?, ?> fields -> {
        json.writeStartObject();
        Map<String, Object> sorted = new TreeMap<>();
        fields.forEach((name, field) -> sorted.put(name.toString(), field));
        for (Map.Entry<String, Object> field : sorted.entrySet()) {
          json.writeFieldName(field.getKey());
          write(json, field.getValue());
        }
        json.writeEndObject();
      }
      case List<?> elements -> {
        json.writeStartArray();
        for (Object element : elements) {
          write(json, element);
        }
        json.writeEndArray();
      }
      case Boolean flag -> json.writeBoolean(flag);
      case Double number when number == Math.rint(number) && Math.abs(number) < Long.MAX_VALUE ->
          json.writeNumber(number.longValue());
      case Double number -> json.writeNumber(number);
      default -> json.writeString(value.toString());
    }
  }
}
