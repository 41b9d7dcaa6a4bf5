package io.github.liquidscheduler.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A long type opens with a block comment that gives its idea, invariants and cost. */
class OpeningBlockTest {
  private static final int MOST_LINES_WITHOUT = 150;
  private static final Pattern TYPE =
      Pattern.compile(
          "^(?:[a-z-]+ )*(?:class|interface|record|enum|@interface) ", Pattern.MULTILINE);
  private static final Pattern BLOCK =
      Pattern.compile("^/\\*\\n.*?\\*/$", Pattern.MULTILINE | Pattern.DOTALL);

  @ParameterizedTest
  @ValueSource(strings = {"liquid-placement", "liquid-scheduler"})
  void longTypesOpenWithABlock(String module) {
    List<Path> longFiles =
        SourceTree.typeFiles().stream()
            .filter(file -> file.startsWith(SourceTree.ROOT.resolve(module)))
            .filter(file -> SourceTree.linesOfCode(SourceTree.read(file)) > MOST_LINES_WITHOUT)
            .toList();

    assertThat(longFiles).isNotEmpty();
    assertThat(longFiles.stream().filter(file -> !opensWithBlock(SourceTree.read(file))))
        .as("files whose type needs a /* block with Idea:, Invariants: and Cost: before it")
        .isEmpty();
  }

  @Test
  void aBlockWithAllPartsBeforeTheTypeCounts() {
    String block = "/*\n * Idea: a.\n * Invariants: b.\n * Cost: c.\n */\n";

    assertThat(opensWithBlock("package p;\n\n" + block + "final class A {}\n")).isTrue();
    assertThat(opensWithBlock("package p;\n\nfinal class A {}\n" + block)).isFalse();
    assertThat(opensWithBlock(block.replace("Cost", "Price") + "final class A {}\n")).isFalse();
    assertThat(opensWithBlock(block.replace("/*\n", "/**\n") + "final class A {}\n")).isFalse();
  }

  private static boolean opensWithBlock(String source) {
    Matcher type = TYPE.matcher(source);
    Matcher block = BLOCK.matcher(type.find() ? source.substring(0, type.start()) : source);
    return block.find()
        && Stream.of("Idea: ", "Invariants: ", "Cost: ").allMatch(block.group()::contains);
  }
}
