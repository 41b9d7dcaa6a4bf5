package io.github.liquidscheduler.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.ClusterArbitraries;
import io.github.liquidscheduler.arbitrary.DecisionArbitraries;
import io.github.liquidscheduler.arbitrary.EventArbitraries;
import io.github.liquidscheduler.arbitrary.QuantityArbitraries;
import io.github.liquidscheduler.cluster.ClusterTopology;
import io.github.liquidscheduler.json.EventJournalWriter.Flush;
import io.github.liquidscheduler.scheduling.ClusterEvent;
import io.github.liquidscheduler.scheduling.Decision;
import java.io.StringWriter;
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

class JournalLaws {

  @Property(tries = 300)
  void whatWasAppendedIsReadBackInOrder(
      @ForAll("headers") JournalHeader header, @ForAll("steps") List<Step> steps) {
    StringWriter text = new StringWriter();
    try (EventJournalWriter writer = EventJournalWriter.to(text, header, Flush.ON_CLOSE)) {
      steps.forEach(step -> writer.append(step.event, step.decisions));
    }

    EventJournalReader reader = Journals.read(text.toString());

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
