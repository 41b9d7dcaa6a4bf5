package io.github.liquidscheduler.lab.conformance.peer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PeerCasesTest {

  @TempDir Path folder;

  private PeerCases read(String text) throws IOException {
    return PeerCases.read(Files.writeString(folder.resolve("cases.json"), text));
  }

  @Test
  void anIdAndAKindMakeACaseOfTheCore() throws IOException {
    PeerCase read = read("[{\"id\": \"a\", \"kind\": \"division\"}]").cases().get(0);

    assertThat(read.scope()).isEqualTo("core");
    assertThat(read.area()).isEqualTo("division");
    assertThat(read.expectation()).isEmpty();
  }

  @Test
  void whatIsNullIsMissing() throws IOException {
    PeerCase read = read("[{\"id\": \"a\", \"kind\": \"b\", \"expect\": null}]").cases().get(0);

    assertThat(read.expectation()).isEmpty();
  }

  @Test
  void aCaseWithoutAnIdIsRefusedWithItsLine() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read("[\n{\"kind\": \"division\"}]"))
        .withMessageContaining("cases.json:2: id: is missing");
  }

  @Test
  void aFileThatEndsTooSoonIsRefusedWithItsLine() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read("[\n{\"id\": \"a\","))
        .withMessageContaining("cases.json:");
  }

  @Test
  void aFileThatIsNoArrayIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read("{}"))
        .withMessageContaining("must be an array of cases");
  }

  @Test
  void aFieldThatIsStatedTwiceIsRefusedWithItsLine() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read("[\n{\"id\": \"a\", \"kind\": \"b\", \"id\": \"c\"}]"))
        .withMessageContaining("cases.json:2: ")
        .withMessageContaining("'id'");
  }

  @Test
  void aNumberWithoutEndIsRefusedWithItsLine() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read("[\n{\"id\": \"a\", \"kind\": \"b\", \"total\": 1e999}]"))
        .withMessageContaining("cases.json:2: a number must be finite");
  }

  @Test
  void whatFollowsTheArrayIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> read("[] []"))
        .withMessageContaining("must end after the array of cases");
  }
}
