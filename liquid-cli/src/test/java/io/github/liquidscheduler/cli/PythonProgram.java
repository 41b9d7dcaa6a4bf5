package io.github.liquidscheduler.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/**
 * Python where it is installed, run without GPUs.
 *
 * @param output the file that its output goes to
 * @param environment more variables
 */
record PythonProgram(Path output, Map<String, String> environment) {

  /** Returns a Python that has the module, or another if there is none. */
  String with(String module, String otherwise) {
    String find =
        "import importlib.util as u, sys; sys.exit(u.find_spec('" + module + "') is None)";
    return Arrays.stream(new String[] {"python3", "/usr/bin/python3"})
        .filter(python -> status(python, "-c", find) == 0)
        .findFirst()
        .orElse(otherwise);
  }

  /** Returns how a program ended, or 127, as shells do, where there is none. */
  int status(String... command) {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
    builder.environment().put("CUDA_VISIBLE_DEVICES", "");
    builder.environment().putAll(environment);
    try {
      return builder.start().waitFor();
    } catch (IOException e) {
      return 127;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 130;
    }
  }

  /** Returns what was printed last. */
  String printed() throws IOException {
    return Files.readString(output);
  }
}
