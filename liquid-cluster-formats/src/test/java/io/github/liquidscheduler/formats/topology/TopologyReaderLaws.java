package io.github.liquidscheduler.formats.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.liquidscheduler.formats.InputFormatException;
import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.resource.Memory;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;

/** However a file of users is spoilt, a cluster or one line of refusal comes out. */
class TopologyReaderLaws {

  private static final TopologyReader ANY =
      TopologyReader.any(Hardware.of(8, GpuModel.of("GPU"), Memory.ofGib(80)));

  @Property
  void whicheverWordIsReplaced(
      @ForAll("files") String text,
      @ForAll @IntRange(max = 2000) int position,
      @ForAll("words") String word) {
    String[] words = text.split("(?<=[\\s=:,\"\\[\\]()<>/-])|(?=[\\s=:,\"\\[\\]()<>/-])", -1);
    words[position % words.length] = word;

    assertReadOrRefused(String.join("", words));
  }

  @Property
  void whicheverPartIsMissing(
      @ForAll("files") String text,
      @ForAll @IntRange(max = 10_000) int from,
      @ForAll @IntRange(min = 1, max = 300) int length) {
    int first = from % text.length();

    assertReadOrRefused(
        text.substring(0, first) + text.substring(Math.min(text.length(), first + length)));
  }

  @Provide
  Arbitrary<String> files() throws IOException, URISyntaxException {
    File folder =
        new File(
            Objects.requireNonNull(TopologyReaderLaws.class.getResource("user-files")).toURI());
    List<Path> files =
        Arrays.stream(Objects.requireNonNull(folder.listFiles()))
            .map(File::toPath)
            .sorted()
            .toList();
    assertThat(files).hasSizeGreaterThan(30);
    return Arbitraries.of(files).map(TopologyReaderLaws::text);
  }

  @Provide
  Arbitrary<String> words() {
    return Arbitraries.of(
        "",
        " ",
        "-1",
        "0",
        "99999",
        "999999999",
        "999999999999",
        "99999999999999999999",
        "1e99",
        "gpu",
        "[0-9999]",
        "[1",
        "\"",
        "\n",
        "\t",
        "#",
        "=",
        ",",
        "(",
        "DEFAULT",
        "null",
        "{}",
        "[]",
        "\u00fc",
        "\u0000",
        "X");
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void assertReadOrRefused(String text) {
    try {
      assertThat(ANY.read("file", text.lines().toList()).cluster().nodes()).isNotEmpty();
    } catch (InputFormatException e) {
      assertThat(e).message().startsWith("file:").doesNotContain("\n", "\r");
    }
  }
}
