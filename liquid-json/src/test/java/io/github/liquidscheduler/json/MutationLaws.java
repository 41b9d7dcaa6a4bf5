package io.github.liquidscheduler.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.arbitrary.ClusterArbitraries;
import io.github.liquidscheduler.arbitrary.DecisionArbitraries;
import io.github.liquidscheduler.arbitrary.EventArbitraries;
import io.github.liquidscheduler.arbitrary.JobArbitraries;
import io.github.liquidscheduler.arbitrary.SnapshotArbitraries;
import io.github.liquidscheduler.json.EventJournalReader.Truncation;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** A valid document that was damaged parses all the same or is refused in one line, never else. */
class MutationLaws {

  @Property(tries = 4000)
  void ofDocuments(@ForAll("documents") Document document, @ForAll("damages") Damage slowdown) {
    byte[] bytes = slowdown.of(document.text.getBytes(StandardCharsets.UTF_8));

    parsesOrRefuses(() -> document.codec.read("damaged.json", decoder(bytes)));
  }

  @Property(tries = 2000)
  void ofJournals(@ForAll("damages") Damage first, @ForAll("damages") Damage second) {
    byte[] bytes = second.of(first.of(Journals.text().getBytes(StandardCharsets.UTF_8)));

    for (Truncation truncation : Truncation.values()) {
      parsesOrRefuses(
          () -> {
            try (EventJournalReader journal =
                EventJournalReader.open(
                    "damaged.jsonl",
                    new ByteArrayInputStream(bytes),
                    truncation,
                    JsonLimits.DEFAULT)) {
              journal.forEachRemaining(entry -> assertThat(entry.line()).isGreaterThan(1));
            }
          });
    }
  }

  private static void parsesOrRefuses(Runnable reading) {
    try {
      reading.run();
    } catch (JsonFormatException refusal) {
      assertThat(refusal.getMessage())
          .startsWith("damaged.json")
          .contains(", line ")
          .doesNotContainPattern("\\R")
          .hasSizeLessThan(1100);
    }
  }

  private static InputStreamReader decoder(byte[] bytes) {
    return new InputStreamReader(
        new ByteArrayInputStream(bytes), StandardCharsets.UTF_8.newDecoder());
  }

  @Provide
  Arbitrary<Document> documents() {
    return Arbitraries.oneOf(
        documents(JsonCodecs.CLUSTER, ClusterArbitraries.clusters()),
        documents(JsonCodecs.JOB, JobArbitraries.jobs()),
        documents(JsonCodecs.EVENT, EventArbitraries.events()),
        documents(JsonCodecs.DECISION, DecisionArbitraries.decisions()),
        documents(JsonCodecs.EXPLANATION, DecisionArbitraries.explanations()),
        documents(JsonCodecs.SNAPSHOT, SnapshotArbitraries.snapshots()));
  }

  private static <T> Arbitrary<Document> documents(JsonCodec<T> codec, Arbitrary<T> values) {
    return values.map(value -> new Document(codec, codec.writeIndented(value)));
  }

  @Provide
  Arbitrary<Damage> damages() {
    return Combinators.combine(
            Arbitraries.doubles().between(0, 1),
            Arbitraries.bytes(),
            Arbitraries.of(Damage.Kind.class))
        .as(Damage::new);
  }

  /** A valid document and what reads it. */
  record Document(JsonCodec<?> codec, String text) {}

  /** One change at one place, told as a part of the length. */
  record Damage(double part, byte value, Kind kind) {
    enum Kind {
      CUT,
      REPLACE,
      INSERT,
      DELETE
    }

    byte[] of(byte[] text) {
      if (text.length == 0) {
        return text;
      }
      int at = (int) Math.min(text.length - 1, Math.floor(part * text.length));
      byte[] before = Arrays.copyOf(text, at);
      return switch (kind) {
        case CUT -> before;
        case REPLACE -> concat(before, new byte[] {value}, tail(text, at + 1));
        case INSERT -> concat(before, new byte[] {value}, tail(text, at));
        case DELETE -> concat(before, tail(text, at + 1));
      };
    }

    private static byte[] tail(byte[] text, int from) {
      return Arrays.copyOfRange(text, from, text.length);
    }

    private static byte[] concat(byte[]... parts) {
      java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
      Consumer<byte[]> append = all::writeBytes;
      Arrays.stream(parts).forEach(append);
      return all.toByteArray();
    }
  }
}
