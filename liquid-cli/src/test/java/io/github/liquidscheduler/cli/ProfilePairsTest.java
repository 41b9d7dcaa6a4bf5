package io.github.liquidscheduler.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@code tools/profile_pairs.py}; where PyTorch is installed, for real, on one core. */
class ProfilePairsTest {
  private static final Path TOOLS = Command.project().resolve("tools");

  @TempDir Path folder;

  @Test
  void itsOwnTestsPassAndWhatTheyMeasuredCanBePredicted() throws Exception {
    String python = pythonWith("torch", pythonWith("unittest", ""));
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

  /** Returns a Python that has the module, or another if there is none. */
  private String pythonWith(String module, String otherwise) throws Exception {
    String find =
        "import importlib.util as u, sys; sys.exit(u.find_spec('" + module + "') is None)";
    for (String python : new String[] {"python3", "/usr/bin/python3"}) {
      if (status(python, "-c", find) == 0) {
        return python;
      }
    }
    return otherwise;
  }

  private void run(String... command) throws Exception {
    int status = status(command);
    assertThat(status).as(Files.readString(output())).isZero();
  }

  /** Returns how a program without GPUs ended, or 127, as shells do, where there is none. */
  private int status(String... command) throws InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output().toFile());
    builder.environment().put("CUDA_VISIBLE_DEVICES", "");
    builder.environment().put("PROFILE_PAIRS_OUT", pairs().toString());
    try {
      return builder.start().waitFor();
    } catch (IOException e) {
      return 127;
    }
  }

  private Path pairs() {
    return folder.resolve("pairs.csv");
  }

  private Path output() {
    return folder.resolve("output");
  }
}
