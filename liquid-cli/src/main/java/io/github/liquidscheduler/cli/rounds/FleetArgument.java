package io.github.liquidscheduler.cli.rounds;

import io.github.liquidscheduler.resource.GpuModel;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** GPUs without nodes, as {@code 8xV100,4xT4}, in the order of the argument. */
record FleetArgument(List<GpuModel> gpus) {

  private static final Pattern PART = Pattern.compile("(\\d{1,6})x(.+)");
  private static final int MOST = 100_000;

  /** Reads one from the command line. */
  static final class Converter implements ITypeConverter<FleetArgument> {
    @Override
    public FleetArgument convert(String value) {
      List<GpuModel> gpus = new ArrayList<>();
      for (String part : value.split(",", -1)) {
        Matcher matcher = PART.matcher(part);
        int count = matcher.matches() ? Integer.parseInt(matcher.group(1)) : 0;
        if (count == 0 || gpus.size() + count > MOST) {
          throw new TypeConversionException(
              "a fleet must be like 8xV100,4xT4, of 1 to %d GPUs, but was '%s'"
                  .formatted(MOST, value));
        }
        gpus.addAll(Collections.nCopies(count, GpuModel.of(matcher.group(2))));
      }
      return new FleetArgument(gpus);
    }
  }
}
