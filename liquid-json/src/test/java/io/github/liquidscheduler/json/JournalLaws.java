package io.github.liquidscheduler.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.arbitrary.ClusterArbitraries;
import io.github.liquidscheduler.arbitrary.DecisionArbitraries;
import io.github.liquidscheduler.arbitrary.EventArbitraries;
import io.github.liquidscheduler.arbitrary.QuantityArbitraries;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.json.EventJournalReader.Truncation;
import io.github.liquidscheduler.json.EventJournalWriter.Flush;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;

class JournalLaws {

  @Property(tries = 300)
  void whatWasAppendedIsReadBackInOrder(
      @ForAll("headers") JournalHeader header, @ForAll("steps") List<Step> steps) {
    EventJournalReader reader = Journals.read(written(header, steps));

    assertThat(reader.header()).isEqualTo(header);
    List<JournalEntry> entries = Journals.all(reader);
    assertThat(entries).extracting(JournalEntry::event).isEqualTo(eventsOf(steps));
    for (int i = 0; i < entries.size(); i++) {
      boolean told = header.recordsDecisions() && (i < steps.size() - 1 || !last(steps).isEmpty());
      Optional<List<Decision>> expected =
          told ? Optional.of(steps.get(i).decisions) : Optional.empty();
      assertThat(entries.get(i).decisions()).isEqualTo(expected);
    }
  }

  /** Lines that were damaged are never read, nor is one that was whole before the damage lost. */
  @Property
  void aByteThatWasFlippedIsToldByItsLine(
      @ForAll("headers") JournalHeader header,
      @ForAll("steps") List<Step> steps,
      @ForAll @DoubleRange(max = 1, maxIncluded = false) double part,
      @ForAll @IntRange(min = 1, max = 255) int change,
      @ForAll Truncation truncation) {
    byte[] bytes = written(header, steps).getBytes(StandardCharsets.UTF_8);
    int at = (int) (part * bytes.length);
    bytes[at] ^= (byte) change;

    assertThatThrownBy(() -> Journals.all(Journals.read(bytes, truncation)))
        .isInstanceOfSatisfying(
            JsonFormatException.class,
            refusal -> assertThat(refusal.line()).isEqualTo(lineOf(bytes, at)));
  }

  @Property(tries = 300)
  void whatWasCutOffIsTheLastLineOnly(
      @ForAll("headers") JournalHeader header,
      @ForAll("steps") List<Step> steps,
      @ForAll @DoubleRange(max = 1) double part) {
    String text = written(header, steps);
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int start = text.lines().findFirst().orElseThrow().getBytes(StandardCharsets.UTF_8).length;
    int end = start + (int) (part * (bytes.length - start));
    byte[] cut = Arrays.copyOf(bytes, end);

    List<ClusterEvent> read =
        Journals.all(Journals.read(cut, Truncation.ACCEPT)).stream()
            .map(JournalEntry::event)
            .toList();

    List<ClusterEvent> written = eventsOf(steps);
    assertThat(written.subList(0, read.size())).isEqualTo(read);
    int whole = wholeLines(bytes, end) - 1;
    assertThat(eventsWithin(whole, header, steps)).isEqualTo(read.size());
  }

  /** Returns how many of the lines after the header are events. */
  private static int eventsWithin(long lines, JournalHeader header, List<Step> steps) {
    int events = 0;
    for (long line = 0; line < lines; events++) {
      boolean decides = header.recordsDecisions() && !steps.get(events).decisions.isEmpty();
      line += decides ? 2 : 1;
    }
    return events;
  }

  /** Counts the lines before {@code end}; a line that lacks only its end is whole. */
  private static int wholeLines(byte[] bytes, int end) {
    int lines = end < bytes.length && bytes[end] == '\n' ? 1 : 0;
    return lines + lineOf(bytes, end) - 1;
  }

  private static int lineOf(byte[] bytes, int at) {
    int line = 1;
    for (int i = 0; i < at; i++) {
      line += bytes[i] == '\n' ? 1 : 0;
    }
    return line;
  }

  private static String written(JournalHeader header, List<Step> steps) {
    StringWriter text = new StringWriter();
    try (EventJournalWriter writer = EventJournalWriter.to(text, header, Flush.ON_CLOSE)) {
      steps.forEach(step -> writer.append(step.event, step.decisions));
    }
    return text.toString();
  }

  private static List<ClusterEvent> eventsOf(List<Step> steps) {
    return steps.stream().map(Step::event).toList();
  }

  private static List<Decision> last(List<Step> steps) {
    return steps.get(steps.size() - 1).decisions;
  }

  @Provide
  Arbitrary<JournalHeader> headers() {
    Arbitrary<ClusterTopology> clusters = ClusterArbitraries.clusters();
    Arbitrary<Map<String, String>> settings = QuantityArbitraries.labels();
    return Combinators.combine(clusters, settings, Arbitraries.of(true, false))
        .as(
            (cluster, all, decisions) -> {
              JournalHeader.Builder header = JournalHeader.builder("fifo", cluster);
              all.forEach(header::setting);
              return header.recordDecisions(decisions).build();
            });
  }

  @Provide
  Arbitrary<List<Step>> steps() {
    return Combinators.combine(
            EventArbitraries.events(), DecisionArbitraries.decisions().list().ofMaxSize(2))
        .as(Step::new)
        .list()
        .ofMaxSize(5)
        .map(
            steps -> steps.stream().sorted(Comparator.comparing(step -> step.event.at())).toList());
  }

  /** An event and what was decided after it. */
  record Step(ClusterEvent event, List<Decision> decisions) {}
}
