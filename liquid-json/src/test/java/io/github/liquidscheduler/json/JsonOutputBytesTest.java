package io.github.liquidscheduler.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class JsonOutputBytesTest {

  @Property(tries = 300)
  void bytesAreTheTextInUtf8(
      @ForAll @Size(max = 40) List<@IntRange(max = 0x10FFFF) Integer> codePoints) {
    StringBuilder text = new StringBuilder();
    codePoints.stream()
        .filter(each -> each < Character.MIN_SURROGATE || each > Character.MAX_SURROGATE)
        .forEach(text::appendCodePoint);

    requireSame(text.toString());
  }

  @Example
  void pairsAndWhatIsEscapedAreTheSameToo() {
    requireSame("\uD83D\uDE00 \"quoted\" \\ \n\t\u0001\u007f \u2028 \u00e9 \u6f22");
  }

  private static void requireSame(String text) {
    Consumer<JsonOutput> content =
        out -> out.object(() -> out.field("text", List.of(text, "x"), Form.TEXT.list()));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    JsonOutput out = JsonOutput.to(bytes);
    content.accept(out);
    out.endLine();
    out.flush();

    assertThat(bytes.toString(StandardCharsets.UTF_8)).isEqualTo(JsonOutput.line(content) + "\n");
  }
}
