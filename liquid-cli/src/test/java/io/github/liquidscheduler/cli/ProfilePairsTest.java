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
  void itsOwnTestsPass() throws Exception {
    String python = pythonWith("torch", pythonWith("unittest", ""));
    assumeTrue(!python.isEmpty(), "needs Python 3");

    run(python, "-m", "unittest", "discover", "-v", "-s", TOOLS.toString(), "-p", "*_test.py");
  }

  @Test
  void whatItMeasuredCanBePredicted() throws Exception {
    String python = pythonWith("torch", "");
    assumeTrue(!python.isEmpty(), "needs PyTorch");
    String script = TOOLS.resolve("profile_pairs.py").toString();
    String pairs = folder.resolve("pairs.csv").toString();
    Path predicted = folder.resolve("predicted.csv");

    run(python, script, "--only", "embedding-512", "--seconds", "3", "--out", pairs);
    Command command =
        Command.run("predict", "interference", "--data", pairs, "--out", predicted.toString());

    assertThat(command.errors()).isEmpty();
    assertThat(Files.readAllLines(predicted)).hasSize(2);
  }

  /** Returns a Python that can import the module, or another if there is none. */
  private String pythonWith(String module, String otherwise) throws Exception {
    for (String python : new String[] {"python3", "/usr/bin/python3"}) {
      if (status(python, "-c", "import " + module) == 0) {
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
    try {
      return builder.start().waitFor();
    } catch (IOException e) {
      return 127;
    }
  }

  private Path output() {
    return folder.resolve("output");
  }
}
