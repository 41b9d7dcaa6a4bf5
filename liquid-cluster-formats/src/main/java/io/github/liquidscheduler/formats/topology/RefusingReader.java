package io.github.liquidscheduler.formats.topology;

import io.github.liquidscheduler.formats.input.PlacedRefusal;
import java.util.List;

/** Names the text where a cluster refuses what it tells, such as a thousand GPUs too many. */
record RefusingReader(TopologyReader reader) implements TopologyReader {

  @Override
  public ReadTopology read(String source, List<String> lines) {
    return PlacedRefusal.at(source, () -> reader.read(source, lines));
  }
}
