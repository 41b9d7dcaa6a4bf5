package io.github.liquidscheduler.cli.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class PathArgumentTest {

  @Test
  void aPathThatTheLocaleCannotExpressIsRefusedWithTheWayOut() {
    assertThatThrownBy(() -> new PathArgument().convert("a\0b"))
        .isInstanceOf(TypeConversionException.class)
        .hasMessageStartingWith("'a\uFFFDb' is no path in this locale, whose encoding is ")
        .hasMessageEndingWith("Set LC_ALL=C.UTF-8");
  }

  @Test
  void anyOtherPathIsTaken() {
    assertThat(new PathArgument().convert("a/b")).isEqualTo(Path.of("a/b"));
  }
}
