package io.github.liquidscheduler.scheduler.prefetch;

import io.github.liquidscheduler.cluster.NodeId;
import io.github.liquidscheduler.job.Dataset;
import java.util.Objects;

/**
 * A copy of a data set on a node.
 *
 * @param dataset the data set; two of one name are the same
 * @param node where the copy is, or is to be
 */
public record DataCopy(Dataset dataset, NodeId node) {

  /** Checks that nothing is null. */
  public DataCopy {
    Objects.requireNonNull(dataset, "dataset");
    Objects.requireNonNull(node, "node");
  }

  /** What tells copies apart. */
  record Key(String dataset, NodeId node) {}

  Key key() {
    return new Key(dataset.name(), node);
  }
}
