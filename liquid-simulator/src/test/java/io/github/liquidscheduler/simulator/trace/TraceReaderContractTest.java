package io.github.liquidscheduler.simulator.trace;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.formats.InputFormatException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the reader of every format does. */
class TraceReaderContractTest {

  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void aFileIsReadLikeItsBytes(TraceFormat format) throws IOException {
    Path file = Files.writeString(folder.resolve("jobs.csv"), Texts.of(format));

    Trace trace = format.reader().read(file);

    assertThat(trace.source()).isEqualTo(file.toString());
    assertThat(trace.jobs()).isEqualTo(Texts.read(format, Texts.of(format)).jobs()).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource
  void gzipIsRecognisedByItsContent(TraceFormat format) {
    assertThat(Texts.read(format, Texts.compressed(Texts.of(format))).jobs())
        .isEqualTo(Texts.read(format, Texts.of(format)).jobs());
  }

  @ParameterizedTest
  @EnumSource
  void lineEndsOfWindowsAndByteOrderMarksDoNotMatter(TraceFormat format) {
    String text = "\uFEFF" + Texts.of(format).replace("\n", "\r\n");

    assertThat(Texts.read(format, text).jobs())
        .isEqualTo(Texts.read(format, Texts.of(format)).jobs());
  }

  @ParameterizedTest
  @EnumSource
  void theLastLineMayLackItsEnd(TraceFormat format) {
    assertThat(Texts.read(format, Texts.of(format).strip()).jobs()).hasSize(2);
  }

  @ParameterizedTest
  @EnumSource
  void aMissingFileIsNamed(TraceFormat format) {
    Path file = folder.resolve("absent.csv");

    assertRefused(() -> format.reader().read(file), file + ": there is no such file");
  }

  @ParameterizedTest
  @EnumSource
  void aDirectoryIsRefused(TraceFormat format) {
    assertRefused(
        () -> format.reader().read(folder), folder + ": must be a file, but is a directory");
  }

  @ParameterizedTest
  @EnumSource
  void anEmptyFileIsRefused(TraceFormat format) {
    assertThatThrownBy(() -> Texts.read(format, ""))
        .isInstanceOf(InputFormatException.class)
        .hasMessageStartingWith("jobs.csv: ");
  }

  @ParameterizedTest
  @EnumSource
  void aTraceWithoutJobsIsRefused(TraceFormat format) {
    assertRefused(
        () -> Texts.read(format, Texts.withoutJobs(format)),
        "jobs.csv: a trace must have at least one job, but had none");
  }

  @ParameterizedTest
  @EnumSource(
      names = {"PHILLY_JSON", "KUBERNETES"},
      mode = EnumSource.Mode.EXCLUDE)
  void textThatIsNotUtf8IsRefusedWithItsLine(TraceFormat format) {
    byte[] bytes = (Texts.of(format) + "gr\u00fcn").getBytes(ISO_8859_1);
    long line = Texts.of(format).lines().count() + 1;

    assertRefused(
        () -> Texts.read(format, bytes),
        "jobs.csv:" + line + ": the text must be UTF-8, but is not");
  }

  @ParameterizedTest
  @EnumSource
  void gzipThatIsCutShortIsRefused(TraceFormat format) {
    byte[] cut = Texts.without(12, Texts.compressed(Texts.of(format)));

    assertThatThrownBy(() -> Texts.read(format, cut))
        .isInstanceOf(InputFormatException.class)
        .hasMessageMatching("jobs\\.csv:\\d+: the gzip data must be whole, but is cut short");
  }

  @ParameterizedTest
  @EnumSource
  void gzipThatIsDamagedIsRefused(TraceFormat format) {
    byte[] damaged = Texts.compressed(Texts.of(format));
    damaged[damaged.length - 5] ^= 1;

    assertThatThrownBy(() -> Texts.read(format, damaged))
        .isInstanceOf(InputFormatException.class)
        .hasMessageContaining("the data must be readable, but: ");
  }

  @ParameterizedTest
  @EnumSource(
      names = {"PHILLY_JSON", "KUBERNETES"},
      mode = EnumSource.Mode.EXCLUDE)
  void aLineThatIsTooLongIsRefusedBeforeItsEnd(TraceFormat format) {
    EndlessLine bytes = new EndlessLine(Texts.of(format).getBytes(UTF_8));
    long line = Texts.of(format).lines().count() + 1;

    assertRefused(
        () -> format.reader().read("jobs.csv", bytes),
        "jobs.csv:" + line + ": a line must have at most 65536 bytes, but had more");
    assertThat(bytes.taken()).isLessThan(1 << 18);
  }

  @ParameterizedTest
  @EnumSource(
      names = {"PHILLY_JSON", "KUBERNETES"},
      mode = EnumSource.Mode.EXCLUDE)
  void aLineThatLacksColumnsIsRefused(TraceFormat format) {
    long line = Texts.of(format).lines().count() + 1;

    assertThatThrownBy(() -> Texts.read(format, Texts.of(format) + "c\n"))
        .isInstanceOf(InputFormatException.class)
        .hasMessageMatching("jobs\\.csv:" + line + ": a line must have \\d+ columns, but had 1");
  }

  @ParameterizedTest
  @EnumSource(names = {"PHILLY_JSON", "KUBERNETES"})
  void jsonThatIsCutShortIsRefused(TraceFormat format) {
    String text = Texts.of(format);

    for (int length = 1; length < text.strip().length(); length += 7) {
      String cut = text.substring(0, length);
      assertThatThrownBy(() -> Texts.read(format, cut))
          .isInstanceOf(InputFormatException.class)
          .hasMessageMatching("jobs\\.csv:\\d+: the JSON must be .*");
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"PHILLY_JSON", "KUBERNETES"})
  void jsonOfAnotherFormIsRefused(TraceFormat format) {
    assertThatThrownBy(() -> Texts.read(format, "{\"jobs of others\": []}"))
        .isInstanceOf(InputFormatException.class)
        .hasMessageStartingWith(
            "jobs.csv:1: the JSON must be an array, or an object with the array");
    assertRefused(
        () -> Texts.read(format, "[7]"), "jobs.csv:1: an element of the array must be an object");
  }

  @ParameterizedTest
  @EnumSource
  void withTwiceTheLoadJobsComeInHalfTheTime(TraceFormat format) {
    Trace trace = Texts.read(format, Texts.of(format));

    assertThat(trace.withLoad(2).jobs())
        .zipSatisfy(
            trace.jobs(),
            (faster, job) -> assertThat(faster.submit()).isEqualTo(job.submit().dividedBy(2)));
  }

  private static void assertRefused(ThrowingCallable reading, String message) {
    assertThatThrownBy(reading).isInstanceOf(InputFormatException.class).hasMessage(message);
  }

  /** A hundred megabytes on one line, after a start. */
  private static final class EndlessLine extends InputStream {

    private static final long LENGTH = 100L << 20;

    private final byte[] start;
    private long position;

    EndlessLine(byte[] start) {
      this.start = start;
    }

    long taken() {
      return position;
    }

    @Override
    public int read() {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0];
    }

    @Override
    public int read(byte[] into, int offset, int most) {
      int count = (int) Math.min(most, LENGTH - position);
      for (int i = 0; i < count; i++) {
        into[offset + i] = position < start.length ? start[(int) position] : (byte) '7';
        position++;
      }
      return count == 0 ? -1 : count;
    }
  }
}
