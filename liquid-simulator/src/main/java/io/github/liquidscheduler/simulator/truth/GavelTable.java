package io.github.liquidscheduler.simulator.truth;

import io.github.liquidscheduler.json.gavel.GavelThroughputs;
import io.github.liquidscheduler.prediction.InterferencePredictor;
import io.github.liquidscheduler.simulator.truth.ThroughputTable.Pair;
import io.github.liquidscheduler.simulator.truth.ThroughputTable.Speeds;
import io.github.liquidscheduler.simulator.truth.ThroughputTable.Workers;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Makes a ground truth of Gavel's throughputs. */
final class GavelTable {

  private GavelTable() {}

  static ThroughputTable read(Path file) {
    try {
      GavelThroughputs throughputs = GavelThroughputs.read(file);
      Map<Workers, Speeds> alone = alone(throughputs);
      return new ThroughputTable(file.toString(), alone, retained(throughputs, alone));
    } catch (IOException e) {
      throw new IllegalArgumentException(file + ": cannot be read: " + e, e);
    }
  }

  private static Map<Workers, Speeds> alone(GavelThroughputs throughputs) {
    Map<Workers, Speeds> speeds = new HashMap<>();
    for (GavelThroughputs.Alone each : throughputs.alone()) {
      Speeds known =
          speeds.computeIfAbsent(
              new Workers(each.job().model(), each.job().gpus()), key -> new Speeds());
      (each.gpus().isSpread() ? known.spread() : known.together())
          .put(each.gpus().model(), each.throughput());
    }
    return speeds;
  }

  /** Returns the retained speeds; 0 where a pair does not fit. */
  private static Map<Pair, Double> retained(
      GavelThroughputs throughputs, Map<Workers, Speeds> speeds) {
    Map<Pair, Double> retained = new HashMap<>();
    for (GavelThroughputs.Pair pair : throughputs.pairs()) {
      String gpu = pair.gpus().model();
      Speeds alone = speeds.get(new Workers(pair.job().model(), 1));
      double isolated = alone == null ? 0 : alone.together().getOrDefault(gpu, 0.0);
      double speed = isolated > 0 ? pair.throughput() / isolated : 0;
      retained.put(
          new Pair(gpu, pair.job().model(), pair.coRunner().model()),
          Math.min(speed, InterferencePredictor.MAX_RETAINED_SPEED));
    }
    return retained;
  }
}
