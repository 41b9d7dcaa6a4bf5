package io.github.liquidscheduler.cli;

import io.github.liquidscheduler.shareddata.SharedData;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;

/**
 * What came of a run of the command line in this process.
 *
 * @param status the exit status
 * @param output what went to the standard output
 * @param errors what went to the error stream
 */
public record Command(int status, String output, String errors) {

  /** Runs a command of liquid. */
  public static Command run(String... arguments) {
    return run(LiquidCommand.program(), arguments);
  }

  /** Runs a command of a program. */
  public static Command run(Program program, String... arguments) {
    StringWriter output = new StringWriter();
    StringWriter errors = new StringWriter();
    CommandLine commandLine =
        program
            .commandLine()
            .setOut(new PrintWriter(output, true))
            .setErr(new PrintWriter(errors, true));
    int status = commandLine.execute(arguments);
    return new Command(status, output.toString(), errors.toString());
  }

  /** Returns the figure of this name in the JSON that was put out. */
  public double figure(String name) {
    Matcher figure = Pattern.compile("\"" + name + "\" : ([-0-9.eE]+)").matcher(output);
    if (!figure.find()) {
      throw new AssertionError("there is no " + name + " in " + output + errors);
    }
    return Double.parseDouble(figure.group(1));
  }

  /** Returns public data beside the project, as {@link SharedData#file} does. */
  public static String publicData(String name) {
    return SharedData.file(name).toString();
  }

  /** Returns the folder of the project. */
  public static Path project() {
    Path folder = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(folder.resolve(".mvn"))) {
      folder = Objects.requireNonNull(folder.getParent(), "no folder above has a .mvn");
    }
    return folder;
  }
}
