package io.github.liquidscheduler.cli.rounds;

import io.github.liquidscheduler.rounds.planner.GpuChoice;
import io.github.liquidscheduler.rounds.planner.RoundAlgorithm;
import io.github.liquidscheduler.rounds.simulation.SwitchingTime;
import io.github.liquidscheduler.simulator.rounds.NamedRoundAlgorithm;
import io.github.liquidscheduler.simulator.rounds.RoundSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that say how jobs of rounds are planned. */
final class AlgorithmOptions {

  /** Reads an algorithm. */
  static final class NameConverter implements ITypeConverter<NamedRoundAlgorithm> {
    @Override
    public NamedRoundAlgorithm convert(String value) {
      try {
        return NamedRoundAlgorithm.named(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /** Reads a choice of GPUs. */
  static final class ChoiceConverter implements ITypeConverter<GpuChoice> {
    @Override
    public GpuChoice convert(String value) {
      try {
        return GpuChoice.named(value);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  /** Numbers of seconds with commas between them. */
  record Thresholds(List<Double> seconds) {

    /** Reads them, checked. */
    static final class Converter implements ITypeConverter<Thresholds> {
      @Override
      public Thresholds convert(String value) {
        List<Double> seconds = new ArrayList<>();
        try {
          for (String part : value.split(",", -1)) {
            seconds.add(Double.valueOf(part));
          }
          return new Thresholds(RoundSettings.DEFAULTS.withThresholds(seconds).thresholds());
        } catch (IllegalArgumentException e) {
          throw new TypeConversionException(
              "thresholds must be seconds that rise from above 0, like 60,400, but were '"
                  + value
                  + "'");
        }
      }
    }
  }

  @Option(
      names = "--algorithm",
      paramLabel = "NAME",
      defaultValue = "fluid",
      converter = NameConverter.class,
      description = {
        "How tasks get their GPUs (default: ${DEFAULT-VALUE}):",
        "  fluid      jobs by their work for their weight, interrupted for arriving ones, all"
            + " times known",
        "  wspt       the same, one job after the other (Smith's rule)",
        "  lp         rounds by the linear program that Hare relaxes to",
        "  rolling    as fluid, planned again when jobs arrive and end, none known before",
        "  hlas       while jobs run: least service of the fleet, matched to GPUs (HLAS)",
        "  hlas-classes  the same in classes between thresholds",
        "  las        while jobs run: least time on GPUs, on the fastest that is idle",
        "  srpt       while jobs run: least work left, on the fastest that is idle",
        "  gang-fifo  gangs that hold the fastest free GPUs, first come, first served",
        "  gang-sjf   the same, the shortest job that fits first",
        "  gang-las   gangs by rounds, least time on GPUs first (Tiresias)",
        "  homo       gangs that take all GPUs for equal, least work for its weight first",
        "  allox      one GPU for each job, by the cheapest assignment (AlloX)"
      })
  private NamedRoundAlgorithm algorithm = NamedRoundAlgorithm.FLUID;

  @Option(
      names = "--gpu-choice",
      paramLabel = "RULE",
      defaultValue = "delay",
      converter = ChoiceConverter.class,
      description = {
        "With fluid, wspt, lp and rolling: on which GPU a task goes (default: ${DEFAULT-VALUE}):",
        "  delay    the tasks of a round where they delay all jobs least",
        "  eftg     where it has computed first, also in gaps",
        "  eft      where it has computed first, after all others",
        "  eat-tie  where it starts first; of equal ones the fastest",
        "  eat      the GPU that is available first, as Hare prints it"
      })
  private GpuChoice choice = GpuChoice.LEAST_DELAY;

  @Option(
      names = "--thresholds",
      paramLabel = "SECONDS",
      defaultValue = "60,400",
      converter = Thresholds.Converter.class,
      description =
          "With hlas-classes and gang-las: the attained service at which a job falls into the"
              + " next class, in seconds of all GPUs that rise from above 0 (default:"
              + " ${DEFAULT-VALUE}).")
  private Thresholds thresholds = new Thresholds(RoundSettings.DEFAULTS.thresholds());

  @Option(
      names = "--steps",
      paramLabel = "CHANGES",
      converter = StepsConverter.class,
      description =
          "With fluid, wspt and lp: how many changes of the plan local search tries, from 0"
              + " to 999999999; each costs one plan (default: 1000, fewer for large problems).")
  private @Nullable Integer steps;

  @Option(
      names = "--seed",
      paramLabel = "SEED",
      defaultValue = "1",
      description = "What local search draws its changes from (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  /** Returns true if it decides while jobs run. */
  boolean isOnline() {
    return algorithm.isOnline();
  }

  /** Returns the algorithm, for GPUs that need so long between tasks if it is online. */
  RoundAlgorithm algorithm(SwitchingTime switching) {
    return algorithm.with(settings(switching));
  }

  /** Returns the algorithm and what it was told, by the names in the output. */
  Map<String, String> report() {
    return algorithm.report(settings(SwitchingTime.NONE));
  }

  private RoundSettings settings(SwitchingTime switching) {
    OptionalInt changes = steps == null ? OptionalInt.empty() : OptionalInt.of(steps);
    return new RoundSettings(choice, thresholds.seconds(), changes, seed, switching);
  }
}
