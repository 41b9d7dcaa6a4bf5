package io.github.liquidscheduler.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.json.EventJournalReader.Truncation;
import io.github.liquidscheduler.json.EventJournalWriter.Flush;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.SequenceInputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class LimitsTest {

  private static final JsonLimits SMALL = new JsonLimits(1_000_000, 100_000, 1000, 10);

  @Test
  void aDocumentBeyondTheLimitIsRefusedUnread() {
    Endless spaces = new Endless();
    Reader text = new InputStreamReader(spaces, StandardCharsets.UTF_8);

    assertThatThrownBy(() -> JsonCodecs.JOB.withLimits(SMALL).read("big.json", text))
        .isInstanceOf(JsonFormatException.class)
        .hasMessage("big.json, line 1, column 1: the document is longer than 1000000 characters");
    assertThat(spaces.read).isBetween(1_000_001L, 1_100_000L);
  }

  @Test
  void aLineOfAHundredMegabytesIsRefusedUnread() {
    Endless spaces = new Endless();
    InputStream journal = new SequenceInputStream(header(), spaces);

    assertThatThrownBy(
            () ->
                EventJournalReader.open(
                    "big.jsonl", journal, Truncation.ACCEPT, JsonLimits.DEFAULT))
        .isInstanceOf(JsonFormatException.class)
        .hasMessage(
            "big.jsonl, line 2, column 1: a line may have up to 8388608 bytes, but has more");
    assertThat(spaces.read).isBetween(8_388_608L, 8_500_000L);
  }

  @Test
  void deepNestingIsRefused() {
    assertThatThrownBy(() -> JsonCodecs.JOB.read("deep.json", "[".repeat(100_000)))
        .isInstanceOf(JsonFormatException.class)
        .hasMessage(
            "deep.json, line 1, column 66: the document is beyond a limit:"
                + " Document nesting depth (65) exceeds the maximum allowed (64)");
    assertThatThrownBy(() -> JsonCodecs.JOB.withLimits(SMALL).read("deep.json", "[".repeat(11)))
        .isInstanceOf(JsonFormatException.class);
  }

  @Test
  void aDocumentOfTooManyTokensIsRefused() {
    assertThatThrownBy(
            () ->
                JsonCodecs.JOB.withLimits(SMALL).read("many.json", "[" + "0,".repeat(1000) + "0]"))
        .isInstanceOf(JsonFormatException.class)
        .hasMessage(
            "many.json, line 1, column 2001: the document is beyond a limit:"
                + " Token count (1001) exceeds the maximum allowed (1000)");
  }

  @Test
  void aNumberOfManyDigitsIsRefused() {
    assertThatThrownBy(() -> JsonCodecs.JOB.read("in.json", "{\"gpus\": " + "9".repeat(2000) + "}"))
        .isInstanceOf(JsonFormatException.class)
        .hasMessageContaining("line 1, column")
        .hasMessageContaining("beyond a limit");
  }

  @Test
  void aLongMessageIsCut() {
    assertThatThrownBy(
            () -> JsonCodecs.JOB.read("in.json", "{\"id\": 1, \"" + "x".repeat(5000) + "\": 1}"))
        .isInstanceOf(JsonFormatException.class);
    assertThatThrownBy(() -> JsonCodecs.JOB.read("in.json", "\"" + "x".repeat(5000) + "\""))
        .satisfies(refusal -> assertThat(refusal.getMessage()).hasSize(1001).endsWith("…"));
  }

  @Test
  void limitsThatLetNothingThroughAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new JsonLimits(0, 1, 1, 1))
        .withMessage(
            "limits of size must be at least 1, but were 0 characters, 1 byte and 1 token");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new JsonLimits(1, 1, 1, 501))
        .withMessage("the limit of depth must be from 1 to 500, but was 501");
  }

  private static InputStream header() {
    StringWriter text = new StringWriter();
    JournalHeader header = JournalHeader.builder("fifo", Samples.CLUSTER).build();
    EventJournalWriter.to(text, header, Flush.EACH_EVENT).close();
    return new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Spaces without end, counted. */
  private static final class Endless extends InputStream {
    private long read;

    @Override
    public int read() {
      read++;
      return ' ';
    }

    @Override
    public int read(byte[] buffer, int offset, int length) {
      Arrays.fill(buffer, offset, offset + length, (byte) ' ');
      read += length;
      return length;
    }
  }
}
