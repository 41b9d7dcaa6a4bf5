package io.github.liquidscheduler.json;

import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.time.Instant;
import java.util.List;

/** A line of a journal after its header. */
sealed interface JournalLine {

  /** The type of the lines that say what was decided after the event before them. */
  String DECISIONS = "decisions";

  /** Returns the number of the line, from 2. */
  int number();

  /** Returns the time it is about. */
  Instant at();

  /** An event. */
  record Happened(int number, ClusterEvent event) implements JournalLine {
    @Override
    public Instant at() {
      return event.at();
    }
  }

  /** What was decided after the event before it. */
  record Decided(int number, Instant at, List<Decision> decisions) implements JournalLine {}

  /** The events, of which a line is one unless it is of type {@code decisions}. */
  ObjectForm<ClusterEvent> EVENTS = SealedForm.of(ClusterEvent.class);

  /** The decisions of a line. */
  Form<List<Decision>> DECIDED = Form.of(Decision.class).list();

  /** Reads a line. */
  static JournalLine read(JsonValue in) {
    int number = in.place().line();
    return in.object(
        fields ->
            fields.type().equals(DECISIONS)
                ? new Decided(
                    number,
                    fields.required("at", QuantityJson.INSTANT.reader()),
                    fields.required(DECISIONS, DECIDED.reader()))
                : new Happened(number, EVENTS.reader().apply(fields)));
  }

  /** Returns the line of decisions, without its end. */
  static String decided(Instant at, List<Decision> decisions) {
    return JsonOutput.line(out -> decided(out, at, decisions));
  }

  /** Writes the line of decisions, without its end. */
  static void decided(JsonOutput out, Instant at, List<Decision> decisions) {
    out.object(
        () -> {
          out.field("type", DECISIONS, Form.TEXT);
          out.field("at", at, QuantityJson.INSTANT);
          out.field(DECISIONS, decisions, DECIDED);
        });
  }
}
