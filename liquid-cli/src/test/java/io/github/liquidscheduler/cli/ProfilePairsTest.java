package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code tools/profile_pairs.py}; where PyTorch is installed, for real, on one core. */
@Tag("pytorch")
class ProfilePairsTest {
  private static final Path TOOLS = Command.project().resolve("tools");

  @TempDir Path folder;

  @Test
  void itsOwnTestsPassAndWhatTheyMeasuredCanBePredicted() throws IOException {
    String python = python().with("torch", python().with("unittest", ""));
    assumeTrue(!python.isEmpty(), "needs Python 3");

    run(python, "-m", "unittest", "discover", "-v", "-s", TOOLS.toString(), "-p", "*_test.py");

    assumeTrue(Files.exists(pairs()), "needs PyTorch to measure pairs");
    Path predicted = folder.resolve("predicted.csv");
    Command command =
        Command.run(
            "predict", "interference", "--data", pairs().toString(), "--out", predicted.toString());

    assertThat(command.errors()).isEmpty();
    assertThat(Files.readAllLines(predicted)).hasSize(1 + 4);
  }

  private void run(String... command) throws IOException {
    int status = python().status(command);
    assertThat(status).as(python().printed()).isZero();
  }

  private PythonProgram python() {
    Map<String, String> environment = Map.of("PROFILE_PAIRS_OUT", pairs().toString());
    return new PythonProgram(folder.resolve("output"), environment);
  }

  private Path pairs() {
    return folder.resolve("pairs.csv");
  }
}
