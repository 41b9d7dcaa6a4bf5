package io.github.liquidscheduler.cli.rounds;

import io.github.liquidscheduler.resource.GpuModel;
import io.github.liquidscheduler.rounds.planner.switching.Switching;
import io.github.liquidscheduler.rounds.planner.switching.SwitchingTechnique;
import io.github.liquidscheduler.rounds.planner.switching.TrainedModel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that say what it costs a GPU to go to another job. */
final class SwitchingOptions {

  private static final String NONE = "none";
  private static final String KNOWN_MEMORY = "V100=16,T4=16,K80=12,M60=8";

  /** A technique, or none. */
  record Choice(Optional<SwitchingTechnique> technique) {

    /** Reads one. */
    static final class Converter implements ITypeConverter<Choice> {
      @Override
      public Choice convert(String value) {
        try {
          return new Choice(
              value.equals(NONE) ? Optional.empty() : Optional.of(SwitchingTechnique.named(value)));
        } catch (IllegalArgumentException e) {
          throw new TypeConversionException(e.getMessage() + "; or " + NONE);
        }
      }
    }
  }

  /** The memory of GPU models, in GiB. */
  record GpuMemory(Map<GpuModel, Double> gib) {

    private static final Pattern PART = Pattern.compile("([^=]+)=(\\d{1,6}(\\.\\d{1,6})?)");

    /** Reads it. */
    static final class Converter implements ITypeConverter<GpuMemory> {
      @Override
      public GpuMemory convert(String value) {
        Map<GpuModel, Double> gib = new LinkedHashMap<>();
        for (String part : value.split(",", -1)) {
          Matcher matcher = PART.matcher(part);
          if (!matcher.matches()) {
            throw new TypeConversionException(
                "memory of GPUs must be GiB by model, like %s, but was '%s'"
                    .formatted(KNOWN_MEMORY, value));
          }
          gib.put(GpuModel.of(matcher.group(1)), Double.valueOf(matcher.group(2)));
        }
        return new GpuMemory(gib);
      }
    }
  }

  @Option(
      names = "--switching",
      paramLabel = "HOW",
      defaultValue = NONE,
      converter = Choice.Converter.class,
      description = {
        "What a GPU does to go to another job, with the milliseconds that Hare published (default:"
            + " ${DEFAULT-VALUE}); jobs need a column model, and may have a column memory_gib:",
        "  none        it takes no time",
        "  default     a process ends, another begins",
        "  pipeswitch  processes stand by, models are loaded layer by layer",
        "  hare        the same, and models stay in memory where their job comes again"
      })
  private Choice choice = new Choice(Optional.empty());

  @Option(
      names = "--gpu-memory",
      paramLabel = "MODEL=GIB,...",
      defaultValue = KNOWN_MEMORY,
      converter = GpuMemory.Converter.class,
      description =
          "With switching by hare: memory of GPU models in GiB (default: ${DEFAULT-VALUE})."
              + " On others no model stays.")
  private GpuMemory memory = new GpuMemory(Map.of());

  Optional<SwitchingTechnique> technique() {
    return choice.technique();
  }

  Switching switching(SwitchingTechnique technique, List<TrainedModel> models) {
    return new Switching(technique, models, memory.gib());
  }
}
