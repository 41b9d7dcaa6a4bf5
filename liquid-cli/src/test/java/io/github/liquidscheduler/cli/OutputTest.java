package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Output that cannot be written is a failure, and is found before long work where that is possible.
 */
class OutputTest {
  private static final Path FULL = Path.of("/dev/full");

  @TempDir private Path folder = Path.of("");
  private String trace = "";

  @BeforeEach
  void writeTrace() throws IOException {
    String rows = "job_id,num_gpu,submit_time,duration\na,4,0,100\n";
    trace = Files.writeString(folder.resolve("trace.csv"), rows).toString();
  }

  private String[] simulate(String... more) {
    String[] first = {"simulate", "--cluster=1x4xV100", "--format=tiresias", "--trace=" + trace};
    return Stream.concat(Stream.of(first), Stream.of(more)).toArray(String[]::new);
  }

  private static Command printTo(OutputStream output, String... arguments) {
    StringWriter errors = new StringWriter();
    int status = LiquidCommand.program().run(output, new PrintWriter(errors, true), arguments);
    return new Command(status, "", errors.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "simulate --help", "convert --help"})
  void helpThatCannotBePrintedIsAFailure(String arguments) {
    Command command = printTo(failing("No space left on device"), arguments.split(" "));

    assertThat(command.errors())
        .isEqualToIgnoringNewLines(
            "liquid: cannot write the standard output: No space left on device");
    assertThat(command.status()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--csv=-", "--json=-", "--seed=1"})
  void resultsThatCannotBePrintedAreAFailure(String output) throws IOException {
    assumeTrue(Files.exists(FULL), "needs " + FULL);
    try (OutputStream full = new FileOutputStream(FULL.toFile())) {
      Command command = printTo(full, simulate(output));

      assertThat(command.errors()).contains("cannot write the standard output: No space left");
      assertThat(command.status()).isEqualTo(1);
    }
  }

  @Test
  void aReaderWhoHasSeenEnoughIsNotBothered() {
    Command command = printTo(failing("Broken pipe"), simulate());

    assertThat(command.errors()).isEmpty();
    assertThat(command.status()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--json", "--csv"})
  void aFileThatCannotBeFilledIsAFailure(String option) {
    assumeTrue(Files.exists(FULL), "needs " + FULL);

    Command command = Command.run(simulate(option, FULL.toString()));

    assertThat(command.errors()).contains("cannot write '/dev/full': No space left on device");
    assertThat(command.status()).isEqualTo(1);
  }

  /** The input is not there either, but was not looked for. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "simulate --cluster=1xV100 --format=tiresias --trace=none --json=",
        "simulate --cluster=1xV100 --format=tiresias --trace=none --csv=",
        "simulate --cluster=1xV100 --format=tiresias --trace=none --journal=",
        "train interference --data=none --out=",
        "train similarity --data=none --out=",
        "train resources --data=none --out=",
        "predict interference --data=none --out=",
        "predict resources --data=none --out=",
        "convert gavel --data=none --out=",
        "convert resources --data=none --out=",
      })
  void aFileThatCannotBeWrittenIsRefusedBeforeAnythingIsRead(String command) {
    assertRefused(
        command + "/no/such/x", "cannot write '/no/such/x': there is no folder '/no/such'");
    assertRefused(command + folder, "cannot write '" + folder + "': it is a folder");
    assertRefused(command, "cannot write '': a file must have a name");
  }

  private static void assertRefused(String command, String why) {
    Command outcome = Command.run(command.split(" "));

    assertThat(outcome.errors()).contains(why).doesNotContain("Exception");
    assertThat(outcome.errors().lines()).hasSize(1);
    assertThat(outcome.status()).isEqualTo(2);
  }

  private static OutputStream failing(String why) {
    return new OutputStream() {
      @Override
      public void write(int single) throws IOException {
        throw new IOException(why);
      }
    };
  }
}
