package io.github.liquidscheduler.formats.input;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.github.liquidscheduler.formats.InputFormatException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BoundedLinesTest {

  @Test
  void linesAreWholeHoweverTheBytesCome() {
    List<String> texts =
        IntStream.range(0, 3_000).mapToObj(line -> "zeile ü ".repeat(line % 40) + line).toList();
    String all = String.join("\r\n", texts);

    assertThat(lines(stream(all))).isEqualTo(texts);
    assertThat(lines(inPieces(all, 1_000))).isEqualTo(texts);
  }

  @Test
  void blankLinesAndAnEndOfLineAtTheEndAreNone() {
    assertThat(lines(stream("a\n\n  \r\nb\n"))).containsExactly("a", "b");
    assertThat(lines(stream(""))).isEmpty();
  }

  @Test
  void theLongestLineIsReadAndALongerOneRefusedWithItsNumber() {
    String longest = "x".repeat(BoundedLines.LONGEST);

    assertThat(lines(stream("a\n" + longest + "\nb"))).containsExactly("a", longest, "b");
    assertThatThrownBy(() -> lines(stream("a\n" + longest + "x\nb")))
        .isInstanceOf(InputFormatException.class)
        .hasMessage("text:2: a line must have at most 65536 bytes, but had more");
  }

  @Test
  void whatIsNotUtf8IsRefusedWithTheNumberOfItsLine() {
    byte[] bytes = {'a', '\n', 'b', (byte) 0xff, '\n'};

    assertThatThrownBy(() -> lines(new ByteArrayInputStream(bytes)))
        .isInstanceOf(InputFormatException.class)
        .hasMessage("text:2: the text must be UTF-8, but is not");
  }

  private static List<String> lines(InputStream bytes) {
    BoundedLines lines = new BoundedLines("text", bytes);
    List<String> all = new ArrayList<>();
    for (String line = lines.next(); line != null; line = lines.next()) {
      all.add(line);
    }
    return all;
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(UTF_8));
  }

  private static InputStream inPieces(String text, int size) {
    byte[] bytes = text.getBytes(UTF_8);
    List<InputStream> pieces = new ArrayList<>();
    for (int from = 0; from < bytes.length; from += size) {
      pieces.add(new ByteArrayInputStream(bytes, from, Math.min(size, bytes.length - from)));
    }
    return new SequenceInputStream(Collections.enumeration(pieces));
  }
}
